"""Measuring, not testing: `make bench` prints what this machine does, next to a reference measured in the same run."""

import statistics

from tests.bench import board, bought, computers, daemon, languages, noticing, pages, tables
from tests.bench.tables import p99, spread
from tests.support.rotten_journal import lay_down_three


def main() -> None:
    report_table()
    report_board()
    report_bought()
    report_computers()
    report_page()
    report_languages()


def report(what: str, figures: str) -> None:
    print(f"{what:36} {figures}", flush=True)


def report_table() -> None:
    alone, thinking_too = noticing.acceptance_ms()
    report("switch change -> accepted action", spread(alone))
    report("  while a computer thinks", f"{spread(thinking_too)}, {p99(thinking_too) - p99(alone):+.2f} ms")
    report("  of which this machine's own time", spread(tables.event_ms()))
    at_no_club, at_clubs = noticing.acceptance_at_clubs_ms()
    for name, times in at_clubs.items():
        report(f"  while its club's broker is {name}", f"{spread(times)}, {p99(times) - p99(at_no_club):+.2f} ms")
    for names in (True, False):
        words = "with names" if names else "with initials"
        report(f"  to tell the club a view {words}", spread(noticing.telling_ms(names=names)))
    actions, seconds = tables.replayed()
    report("actions through replay", f"{actions / seconds:,.0f}/s ({actions} actions, moves made on the switches)")
    entries, seconds = tables.resumed()
    report("resuming a journal", f"{seconds:.2f} s for {entries} entries")


def report_board() -> None:
    sent = board.bytes_an_action()
    median = statistics.median(sent)
    share = f"{median / board.FULL_FRAME_BYTES:.0%} of a full frame's {board.FULL_FRAME_BYTES}"
    report("action -> glass", f"median {median:.0f} bytes, {share}; mean {statistics.mean(sent):.0f}")
    for name in ("gpio-8x8", "gpio-9x8"):
        report(f"scan of {name} on mock pins", spread(board.scans_ms(name)))
    at_rest, at_work = board.shares()
    report("scanning thread, of one core", f"{at_rest:.1%} at rest, {at_work:.1%} while a hand is at work")
    times, scans_a_second = board.round_trips_ms()
    report("switch at the board -> lights shown", f"{spread(times)} (8 ms debounce, {scans_a_second:.0f} scans/s)")
    report("  a bare echo on such a pty", spread(board.echoes_ms()))


def report_bought() -> None:
    bare, carried, slid = bought.commits_ms(), bought.carried_ms(), bought.slid_ms()
    for name, times in carried.items():
        ratio = f"{statistics.median(times) / statistics.median(bare):.1f} of a bare commit"
        report(f"last byte of a {name} -> journal", f"{spread(times)}; {ratio}")
        report("  of a slid piece", f"{spread(slid[name])}, longest {max(slid[name]):.0f} ms")
    report("  a pty's bytes to a bare commit", spread(bare))
    for name, share in bought.shares_at_rest().items():
        report(f"table at rest: {name}, of one core", f"{share:.1%}")


def report_computers() -> None:
    for what, words, (ours, theirs) in computers.rule_speeds():
        report(what, f"{ours:,.0f}/s, {ours / theirs:.2f} of python-chess's {words} {theirs:,.0f}/s")
    took_s, peak_mb = noticing.answers_s()
    report("Aether, a turn at level 6", f"median {statistics.median(took_s):.2f} s, longest {max(took_s):.2f} s")
    report("  memory of the thinking process", f"{peak_mb:.0f} MB at most")
    searched, plain = computers.aether_depth_four_s()
    share = f"1/{plain / searched:,.0f} of a plain expectimax's {plain:.0f}"
    report("Aether, four moves ahead", f"median {searched:.3f} s, {share}")
    report(f"  an answer at {computers.TOP_NODES:,} positions", spread(computers.aether_answers_ms()))
    report("  memory of such a search", f"{computers.aether_memory_mb():.1f} MB")
    report("Boreas, Captain's Chess", computers.boreas_told())
    size_mb, seconds = computers.advice_table()
    report("Swashbuckle's table", f"{size_mb:.1f} MB once read, in {seconds:.2f} s")
    every, first = computers.advice_ms()
    report("Swashbuckle's adviser, an answer", spread(every))
    report("  of which the first in a turn", spread(first))


def report_page() -> None:
    answers = daemon.answers_ms()
    report("page, press -> dice tumble", spread(answers["tumbling"]))
    report("page, release -> dice have fallen", spread(answers["fallen"]))
    report("page, click -> piece lifted", spread(answers["lifted"]))
    for path, (ours, plain) in pages.first_loads().items():
        report(f"{path}, first load", f"{ours.taken / 1000:.0f} kB over the wire")
        words = f"first paint {ours.first_ms:.0f} ms, largest {ours.largest_ms:.0f} ms"
        report("  painted", f"{words}; a plain page of its size {plain.first_ms:.0f} ms")
    figures, damaged = daemon.daemon_figures(), daemon.daemon_figures(lay_down_three)
    report("daemon, start to page", f"{figures.page_s:.2f} s")
    report("daemon, start to first frame", f"{figures.frame_s:.2f} s")
    words = f"{damaged.page_s:.2f} s to the page, {damaged.frame_s:.2f} s to a frame"
    report("daemon, start over damaged matches", words)
    report("daemon, memory", f"{figures.rss_mb:.0f} MB RSS after its page was fetched")


def report_languages() -> None:
    found, alone, beside = languages.costs()
    for code, cost in found.items():
        words = f"first page {cost.first_page_s:+.3f} s, {cost.memory_mb:+.1f} MB beside English"
        report(f"language {code}", words)
    report("a change, shown in English", spread(alone))
    later = statistics.median(beside) - statistics.median(alone)
    report("  beside another language", f"{spread(beside)}, {later:+.2f} ms")


if __name__ == "__main__":
    main()
