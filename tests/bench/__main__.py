"""Measuring, not testing: `make bench` prints what this machine does, beside a reference measured in the same run."""

import statistics
from collections.abc import Sequence

from tests.bench import advice, aether, boreas, club, display, gpio, link, page, rules, startup, tables, thinking
from tests.support.rotten_journal import lay_down_three


def main() -> None:
    """Print all figures."""
    alone, beside = thinking.acceptance_ms()
    report("switch change -> accepted action", spread(alone))
    report("  while a computer thinks", f"{spread(beside)}, {p99(beside) - p99(alone):+.2f} ms")
    report("  of which this machine's own time", spread(tables.event_ms()))
    at_no_club, at_clubs = club.acceptance_ms()
    for name, times in at_clubs.items():
        told = f"{spread(times)}, {p99(times) - p99(at_no_club):+.2f} ms"
        report(f"  while its club's broker is {name}", told)
    for names in (True, False):
        words = "with names" if names else "with initials"
        report(f"  to tell the club a view {words}", spread(club.telling_ms(names=names)))
    sent = display.bytes_an_action()
    median = statistics.median(sent)
    share = f"{median / display.FULL_FRAME_BYTES:.0%} of a full frame's {display.FULL_FRAME_BYTES}"
    report("action -> glass", f"median {median:.0f} bytes, {share}; mean {statistics.mean(sent):.0f}")
    actions, seconds = tables.replayed()
    report("actions through replay", f"{actions / seconds:,.0f}/s ({actions} actions, moves made on the switches)")
    entries, seconds = tables.resumed()
    report("resuming a journal", f"{seconds:.2f} s for {entries} entries")
    ours, theirs = rules.positions_a_second()
    report("Legend positions", f"{ours:,.0f}/s, {ours / theirs:.2f} of python-chess's pseudo-legal {theirs:,.0f}/s")
    for name in ("gpio-8x8", "gpio-9x8"):
        report(f"scan of {name} on mock pins", spread(gpio.scans_ms(name)))
    shares = gpio.shares()
    report(
        "scanning thread, of one core", f"{shares.at_rest:.1%} at rest, {shares.at_work:.1%} while a hand is at work"
    )
    times, scans_a_second = link.round_trips_ms()
    report("switch at the board -> lights shown", f"{spread(times)} (8 ms debounce, {scans_a_second:.0f} scans/s)")
    report("  a bare echo on such a pty", spread(link.echoes_ms()))
    took_s, peak_mb = thinking.answers_s()
    report("Aether, a turn at level 6", f"median {statistics.median(took_s):.2f} s, longest {max(took_s):.2f} s")
    report("  memory of the thinking process", f"{peak_mb:.0f} MB at most")
    size, seconds = advice.table_mb()
    report("Swashbuckle's table", f"{size:.1f} MB once read, in {seconds:.2f} s")
    every, first = advice.answers_ms()
    report("Swashbuckle's adviser, an answer", spread(every))
    report("  of which the first in a turn", spread(first))
    ours, theirs = rules.legal_positions_a_second()
    report("Captain's Chess positions", f"{ours:,.0f}/s, {ours / theirs:.2f} of python-chess's legal {theirs:,.0f}/s")
    report("Boreas, Captain's Chess", boreas.told())
    report_aether()
    answers = page.answers_ms()
    report("page, press -> dice tumble", spread(answers["tumbling"]))
    report("page, release -> dice have fallen", spread(answers["fallen"]))
    report("page, click -> piece lifted", spread(answers["lifted"]))
    figures = startup.daemon_figures()
    report("daemon, start to page", f"{figures.page_s:.2f} s")
    report("daemon, start to first frame", f"{figures.frame_s:.2f} s")
    damaged = startup.daemon_figures(lay_down_three)
    report(
        "daemon, start over damaged matches", f"{damaged.page_s:.2f} s to the page, {damaged.frame_s:.2f} s to a frame"
    )
    report("daemon, memory", f"{figures.rss_mb:.0f} MB RSS after its page was fetched")


def report_aether() -> None:
    """Print how fast Aether makes moves, looks ahead and answers, and what its memory takes."""
    ours, theirs = aether.positions_a_second()
    report("Aether's positions", f"{ours:,.0f}/s, {ours / theirs:.1f} of python-chess's pseudo-legal {theirs:,.0f}/s")
    searched, plain = aether.depth_four_s()
    report(
        "Aether, four moves ahead",
        f"median {searched:.3f} s, 1/{plain / searched:,.0f} of a plain expectimax's {plain:.0f}",
    )
    report(f"  an answer at {aether.TOP_NODES:,} positions", spread(aether.answers_ms()))
    report("  memory of such a search", f"{aether.memory_mb():.1f} MB")


def report(what: str, figures: str) -> None:
    """Print one line."""
    print(f"{what:36} {figures}", flush=True)


def spread(values: Sequence[float]) -> str:
    """Return median and 99th percentile in words."""
    return f"median {statistics.median(values):.2f} ms, p99 {p99(values):.2f} ms"


def p99(values: Sequence[float]) -> float:
    """Return what 99 of 100 values do not exceed."""
    return sorted(values)[int(len(values) * 0.99)]


if __name__ == "__main__":
    main()
