# shellcheck shell=sh
# Sourced by scripts that make a Debian of their own: how this machine reaches Debian's packages, PyPI and the npm registry is
# carried into it. Of the network's addresses none is known here.

PIP='pip_[a-z_]*(index|cert|proxy|host|timeout|retries)[a-z_]*'
NPM='npm_config_(registry|proxy|https_proxy|noproxy|cafile|strict_ssl)'
CARRIED="^($PIP|$NPM|(https?|no)_proxy|ssl_cert_(file|dir)|node_extra_ca_certs|requests_ca_bundle)="

# The mirror of a suite that apt uses on this machine, if it has fetched its lists.
mirror_of() {
    # shellcheck disable=SC2016 # apt-get fills these in, not the shell
    apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(COMPONENT) $(CREATED_BY) $(REPO_URI)' 2>/dev/null |
        sed -n "s/^Debian $1 main Packages //p" | head -n 1
}

# Words of this machine's environment, one a line, that say how the network is reached.
carried_environment() {
    env | grep -iE "$CARRIED" || true
}

carry_network() {
    cp /etc/resolv.conf /etc/hosts "$1/etc/"
    apt-config dump | grep -E '^Acquire::(https?|Check-)' >"$1/etc/apt/apt.conf.d/90carried" || true
    carry_pip /etc/pip.conf "$1/etc"
}

# Copies pip's settings to a folder, without those that name a folder of this machine: that one is not carried.
carry_pip() {
    [ -e "$1" ] || return 0
    mkdir -p "$2"
    grep -vE '^ *find-links|file:/' "$1" >"$2/pip.conf" || true
}

# Copies certificates that this machine's owner added, and those its environment names.
carry_certificates() {
    mkdir -p "$1/usr/local/share/ca-certificates"
    for certificate in /usr/local/share/ca-certificates/*.crt; do
        [ ! -e "$certificate" ] || cp "$certificate" "$1/usr/local/share/ca-certificates/"
    done
    for file in "${PIP_CERT:-}" "${SSL_CERT_FILE:-}" "${NODE_EXTRA_CA_CERTS:-}" "${REQUESTS_CA_BUNDLE:-}"; do
        [ ! -f "$file" ] || (cd / && cp -L --parents ".$file" "$1")
    done
}
