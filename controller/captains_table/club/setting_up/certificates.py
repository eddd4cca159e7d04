"""Makes and checks keys and certificates of a club's authority and broker, and warns before certificates expire.

It also checks the broker's host names. The library `cryptography` makes keys and certificates, not the command
`openssl`. Thus the content of a certificate is checked by types and tests, and does not depend on the command's
defaults, which differ between versions. Also, a laptop without the command can set up a club. Tables need neither the
library nor the command, as they verify with Python's own `ssl`.
"""

import ipaddress
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from captains_table.club.setting_up.names import AUTHORITY, CERTIFICATE

BEGINNING: Final = datetime(2020, 1, 1, tzinfo=UTC)
"""The start of the validity of all but the pages' certificate: a Pi without a network may start with an old date."""
AUTHORITY_FOR: Final = timedelta(days=20 * 365)
BROKER_FOR: Final = timedelta(days=3 * 365)
PAGES_FOR: Final = timedelta(days=800)
"""The validity of a certificate for browsers; Apple's accept at most 825 days."""
HOST: Final = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")
LONGEST_COMMON_NAME: Final = 64
SHOWN_DAYS: Final = 30


class BadHost(ValueError):
    """A text is neither a host name nor an address of a broker; the message says what was expected."""


class BadCertificate(ValueError):
    """A certificate or a key cannot be read or used, or a certificate and a key do not belong together."""


def checked_host(host: str) -> str:
    """Return a host name in lower case, or an address in its standard form; raises BadHost if it is neither."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        pass
    if HOST.fullmatch(host.lower()) is None:
        raise BadHost(f"{host!r}: expected a computer's name or address, such as club.local or 192.168.1.20")
    return host.lower()


def make_key() -> str:
    """Return a new private key as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode("ascii")


def make_authority(key: str, now: datetime) -> str:
    """Return the self-signed certificate of an authority with this key, as PEM.

    The authority may sign certificates of brokers, but not those of other authorities.

    Raises:
        BadCertificate: the key cannot be read, or is no elliptic-curve key.
    """
    private = _key(key)
    name = _name(f"Captain's Table, a club since {now:%Y-%m-%d}")
    built = _built(name, name, private.public_key(), (BEGINNING, now + AUTHORITY_FOR), is_authority=True)
    return _pem(built.sign(private, hashes.SHA256()))


def make_certificate(
    authority: str, authority_key: str, key: str, hosts: Sequence[str], now: datetime, *, for_pages: bool = False
) -> str:
    """Return the certificate of a server for some host names and addresses, signed by the authority, as PEM.

    Args:
        authority: the authority's certificate.
        authority_key: the authority's key.
        key: the server's own key.
        hosts: the server's names and addresses, at least one.
        now: the time in UTC.
        for_pages: whether browsers must accept it; otherwise it is for a broker.

    Raises:
        BadCertificate: the certificate or a key cannot be read or used, or the authority's certificate and key do not
            belong together.
    """
    issuer, private = _certificate(authority), _key(authority_key)
    if issuer.public_key() != private.public_key():
        raise BadCertificate("the authority's certificate and its key do not belong together")
    public = _key(key).public_key()
    begin, lasts = (now - timedelta(days=1), PAGES_FOR) if for_pages else (BEGINNING, BROKER_FOR)
    lasts_until = min(now + lasts, issuer.not_valid_after_utc)
    subject = _name(hosts[0][:LONGEST_COMMON_NAME])
    names = x509.SubjectAlternativeName([_general(host) for host in hosts])
    signer = issuer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    built = (
        _built(subject, issuer.subject, public, (begin, lasts_until), is_authority=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(names, critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(signer), critical=False)
    )
    return _pem(built.sign(private, hashes.SHA256()))


def expires_at(certificate: str) -> datetime:
    """Return when a certificate expires, in UTC; raises BadCertificate."""
    return _certificate(certificate).not_valid_after_utc


def hosts_of(certificate: str) -> tuple[str, ...]:
    """Return the host names and addresses in a certificate, in the certificate's order; raises BadCertificate."""
    try:
        names = _certificate(certificate).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    return tuple(str(name.value) for name in names if isinstance(name, x509.DNSName | x509.IPAddress))


def belongs(certificate: str, key: str) -> bool:
    """Return whether a certificate belongs to this private key; raises BadCertificate."""
    return _certificate(certificate).public_key() == _any_key(key).public_key()


def is_signed_by(certificate: str, authority: str) -> bool:
    """Return whether an authority signed a certificate; raises BadCertificate if either certificate cannot be read."""
    signed, issuer = _certificate(certificate), _certificate(authority)
    try:
        signed.verify_directly_issued_by(issuer)
    except (ValueError, TypeError, InvalidSignature):  # another issuer, another kind of key, another key
        return False
    return True


def _built(
    subject: x509.Name,
    issuer: x509.Name,
    public: ec.EllipticCurvePublicKey,
    valid: tuple[datetime, datetime],
    *,
    is_authority: bool,
) -> x509.CertificateBuilder:
    """Return what all certificates have; an authority signs certificates of servers, but not of other authorities."""
    builder = x509.CertificateBuilder(issuer, subject, public, x509.random_serial_number(), *valid)
    return (
        builder.add_extension(x509.BasicConstraints(is_authority, 0 if is_authority else None), critical=True)
        .add_extension(_usage(signs_certificates=is_authority), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _general(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _certificate(pem: str) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificate(pem.encode())
    except ValueError as error:
        raise BadCertificate("no certificate (PEM) can be read in it") from error


def _any_key(pem: str) -> PrivateKeyTypes:
    try:
        return load_pem_private_key(pem.encode(), None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:  # TypeError: it asks for a password
        raise BadCertificate("no private key (PEM) without a password can be read in it") from error


def _key(pem: str) -> ec.EllipticCurvePrivateKey:
    key = _any_key(pem)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise BadCertificate("its key is not of an elliptic curve, as this program makes them")
    return key


def _pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(Encoding.PEM).decode("ascii")


def certificates_of(authority: Path) -> tuple[Path, Path]:
    """Return the paths of two certificates in the same folder: the authority's (`authority`), then the broker's."""
    return authority, authority.with_name(CERTIFICATE)


def expiring(certificates: Iterable[Path], now: datetime) -> Iterator[str]:
    """Yield a warning for each certificate that expires within 30 days, has expired, or cannot be read.

    Args:
        certificates: the files of the certificates; a missing file is skipped.
        now: the time in UTC.
    """
    for path in certificates:
        try:
            until = expires_at(path.read_text(encoding="ascii"))
        except FileNotFoundError:
            continue  # the broker runs on another computer, or is managed by somebody else
        except (OSError, UnicodeDecodeError, BadCertificate) as error:
            yield f"The certificate {path} cannot be read ({error})."
            continue
        days = (until - now).days
        if until <= now:
            harm = "no table reaches the broker" if _is_of_broker(path) else "browsers warn of the club's pages"
            yield f"The certificate {path} expired on {until:%Y-%m-%d}: {harm}. {_remedy(path)}"
        elif days < SHOWN_DAYS:
            yield f"The certificate {path} expires on {until:%Y-%m-%d}, in {_days(days)}. {_remedy(path)}"


def _days(days: int) -> str:
    return {0: "less than a day", 1: "1 day"}.get(days, f"{days} days")


def _is_of_broker(path: Path) -> bool:
    return path.name in {AUTHORITY, CERTIFICATE}


def _remedy(path: Path) -> str:
    if not _is_of_broker(path):
        return "Renew it, or take it away and run `captains-table club init` again; then restart the club's server."
    remedy = "Take it away, run `captains-table club init` again as at first, and restart the broker."
    if path.name == AUTHORITY:
        return f"{remedy} Every table needs the new {AUTHORITY} too."
    return remedy
