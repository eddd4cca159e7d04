"""Protects root in folders of other users, who could plant links there, and in folders that others may write in.

Root acts with the rights of the folder's owner, except when it reads or writes certain single files. Planted links,
FIFOs and hard links are refused. A folder that its owner cannot reach by its path is mounted where only this process
sees it; so is a file that root must read with its own rights. A check keeps root from leaving files of its own in
another user's folder.
"""

import ctypes
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
MOST_LINKS: Final = 40  # the kernel's own limit
MOUNTS: Final = Path("/run/captains-table-root")  # stays empty: each process mounts a private file system over it
NEW_NAMESPACE, BIND, RECURSIVE, PRIVATE = 0x20000, 0x1000, 0x4000, 0x40000  # <sched.h> and <sys/mount.h>


class Planted(OSError):
    """Root refuses a link, a FIFO or another file that a folder's owner may have planted to misdirect root."""


class _Opened(NamedTuple):
    """A folder that root opened.

    Attributes:
        descriptor: the open folder.
        rest: the part of the path that does not exist, below the open folder.
        is_sure: whether only root can change any part of the path to the open folder.
    """

    descriptor: int
    rest: Path
    is_sure: bool

    def owner(self) -> os.stat_result:
        return os.fstat(self.descriptor)


@contextmanager
def as_owner(folder: Path, *, state: bool = False) -> Iterator[Path]:
    """Yield a folder's path; when run as root, act with the rights of the folder's owner meanwhile.

    Root opens the folder first and follows no link that another user may have planted in its path. If the owner cannot
    reach the folder by its path, as with a service's folder below /var/lib/private, the folder is mounted at a path
    that only this process sees. Users other than root keep their own rights.

    Args:
        folder: the folder; if it does not exist, its deepest existing parent is used.
        state: whether the folder contains a table's state; it may then contain only files and folders, and no hard
            link to a file of another user.

    Raises:
        Planted: a link in the path does not belong to root; or, if `state` is true, something was planted in the
            folder, or the folder is root's but others may write in it.
        OSError: the folder cannot be opened.
    """
    if os.geteuid() != 0:
        yield folder
        return
    opened = _open(folder)
    is_reached = _is_reached(folder, opened)
    if not is_reached:
        os.close(opened.descriptor)
        _mounts()  # only a folder opened within the namespace can be mounted there
        opened = _open(folder)
    try:
        owner = opened.owner()
        if state and owner.st_uid == 0 and _is_open_to_others(owner):
            raise Planted(f"others than root may write in {folder}: expected a folder that its owner alone writes")
        reached = folder if is_reached else _mounted(opened.descriptor) / opened.rest
        with acting_as(owner.st_uid, owner.st_gid), _named(reached, folder):
            if state and owner.st_uid != 0 and opened.rest == Path():
                _check_nothing_planted(reached, owner.st_uid)
            yield reached
    finally:
        os.close(opened.descriptor)


@contextmanager
def acting_as(user: int, group: int) -> Iterator[None]:
    """Let root act with the rights of a user and a group, given by their numbers, until the end of the block.

    Nothing changes if the program acts as this user already.
    """
    if user == os.geteuid():
        yield
        return
    groups, own_group = os.getgroups(), os.getegid()
    os.setgroups([group])
    os.setegid(group)
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(own_group)
        os.setgroups(groups)


@contextmanager
def as_reader(file: Path) -> Iterator[Path]:
    """Yield a path for reading a file; during the `with` block, root acts with the rights of the folder's owner.

    Root keeps its own rights in two cases: the folder belongs to root but other users may write to it, or the file
    belongs to root but the folder belongs to another user. In both cases the path leads to a mount of the opened file.
    Nobody can replace the mount, and it is no link.

    Raises:
        Planted: as in `as_owner`, or the file is a link or has several names.
        OSError: the file cannot be opened.
    """
    if os.geteuid() == 0 and _is_among_others(file):
        _mounts()
        with _named(_mounted_file(file), file) as reached:
            yield reached
        return
    with as_owner(file.parent) as folder:
        yield folder / file.name


def open_plain(path: Path, flags: int) -> int:
    """Open a regular file; follow no link and do not wait for a FIFO.

    Raises:
        Planted: the path is a link, a FIFO, a device or a folder.
        OSError: the file cannot be opened.
    """
    try:
        opened = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    except FileNotFoundError:
        raise
    except OSError as error:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            raise _planted(path, found) from error
        raise
    found = os.fstat(opened)
    if not stat.S_ISREG(found.st_mode):
        os.close(opened)
        raise _planted(path, found)
    return opened


def write_output(path: Path, text: str) -> None:
    """Write a text to a file that the user named.

    When run as root, act with the rights of the folder's owner. In a folder in which other users may write, links are
    followed only for the folder's owner, and never for root.

    Raises:
        Planted: the folder is unsafe, as in `as_owner`. In a folder in which other users may write, also raised for a
            link that is not followed, for a FIFO, and if root would write into a hard link or another user's file.
        OSError: the file cannot be written.
    """
    with as_owner(path.parent) as folder:
        named, kept_by = folder / path.name, folder.stat()
        if os.geteuid() == kept_by.st_uid != 0 or not _is_open_to_others(kept_by):
            named.write_text(text, encoding="utf-8")
            return
        opened = open_plain(named, os.O_WRONLY | os.O_CREAT)
        with os.fdopen(opened, "w", encoding="utf-8") as file:
            found = os.fstat(opened)
            if os.geteuid() == 0 and not _is_roots_own(found):
                raise _planted(path, found)
            file.truncate(0)
            file.write(text)


def check_may_keep(folder: Path) -> None:
    """Refuse to run as root in another user's folder, because that user could not open root's files later.

    Raises:
        Planted: this process runs as root, and the folder belongs to another user.
    """
    if os.geteuid() != 0:
        return
    opened = _open(folder)
    owner = opened.owner().st_uid
    os.close(opened.descriptor)
    if owner != 0:
        raise Planted(
            f"{folder} is of user {owner}, whom files of root's would lock out: start the program as that user "
            "(sudo systemctl start captains-table), or name another folder"
        )


# --- rights -----------------------------------------------------------------------------------------------------------


@contextmanager
def _named(reached: Path, given: Path) -> Iterator[Path]:
    """Yield the path `reached`; if the block raises an error, name the path `given` in the error's message instead."""
    try:
        yield reached
    except Exception as error:
        if reached != given and len(error.args) == 1:
            error.args = (str(error).replace(str(reached), str(given)),)
        raise


def _check_nothing_planted(folder: Path, owner: int) -> None:
    for path in folder.iterdir():
        with suppress(FileNotFoundError):  # another program has just removed it
            found = path.lstat()
            is_file = stat.S_ISREG(found.st_mode) and (found.st_nlink == 1 or found.st_uid == owner)
            if not (is_file or stat.S_ISDIR(found.st_mode)):
                raise _planted(path, found)


def _planted(path: Path, found: os.stat_result) -> Planted:
    kinds = {stat.S_IFLNK: "a link", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a folder"}
    kind = kinds.get(stat.S_IFMT(found.st_mode), "a device")
    if stat.S_ISREG(found.st_mode):
        kind = f"a hard link to a file of user {found.st_uid}'s"
    return Planted(f"{path} is {kind}: expected a file of its own; see who put it there, and remove it")


# --- the path to a folder ---------------------------------------------------------------------------------------------


def _open(folder: Path) -> _Opened:
    """Open a folder, or its deepest existing parent, and check each name of the path on the way.

    Raises:
        Planted: the path leads through a link that a user other than root may have made.
        OSError: a part of the path cannot be opened.
    """
    waiting = list(reversed((Path.cwd() / folder).parts[1:]))
    at, is_sure, links = os.open("/", FOLDER), True, 0
    try:
        while waiting:
            name = waiting.pop()
            try:
                found = os.stat(name, dir_fd=at, follow_symlinks=False)
            except FileNotFoundError:
                return _Opened(at, Path(name, *reversed(waiting)), is_sure)
            is_roots = _is_roots_name(os.fstat(at), found)
            if stat.S_ISLNK(found.st_mode):
                links += 1
                target = _roots_link(at, name, folder, is_roots=is_roots and links <= MOST_LINKS)
                waiting += reversed([part for part in target.parts if part != "/"])
                at = _exchanged(at, os.open("/", FOLDER)) if target.is_absolute() else at
            else:
                is_sure = is_sure and is_roots
                at = _exchanged(at, os.open(name, FOLDER, dir_fd=at))
    except BaseException:
        os.close(at)
        raise
    return _Opened(at, Path(), is_sure)


def _roots_link(at: int, name: str, folder: Path, *, is_roots: bool) -> Path:
    if not is_roots:
        raise Planted(f"{folder} leads through {name!r}, a link that is not root's: expected a folder's path")
    return Path(os.readlink(name, dir_fd=at))


def _exchanged(old: int, new: int) -> int:
    os.close(old)
    return new


def _is_roots_name(folder: os.stat_result, found: os.stat_result) -> bool:
    """Return whether only root can have created a file in a folder, and only root can remove that file."""
    if folder.st_uid != 0:
        return False
    return not _is_open_to_others(folder) or (bool(folder.st_mode & stat.S_ISVTX) and found.st_uid == 0)


def _is_open_to_others(folder: os.stat_result) -> bool:
    return bool(folder.st_mode & stat.S_IWOTH) or (bool(folder.st_mode & stat.S_IWGRP) and folder.st_gid != 0)


def _is_reached(folder: Path, opened: _Opened) -> bool:
    """Return whether an opened folder is safely reached by its path.

    A folder of root is safely reached if only root can change any part of the path. A folder of another user is safely
    reached if the path also leads to the opened folder when it is followed with the rights of that user.
    """
    owner = opened.owner()
    if owner.st_uid == 0:
        return opened.is_sure
    parts = (Path.cwd() / folder).parts
    there = Path(*parts[: len(parts) - len(opened.rest.parts)])
    with acting_as(owner.st_uid, owner.st_gid):
        try:
            return os.path.samestat(there.stat(), owner)
        except OSError:
            return False


def _is_among_others(file: Path) -> bool:
    """Return whether other users can replace a file that root must read with its own rights.

    True in two cases. The folder is root's, and other users may write to the folder. Or the folder is another user's,
    and the file is a regular file of root with a single name. False if the file does not exist.
    """
    opened = _open(file.parent)
    try:
        owner = opened.owner()
        is_roots_folder = opened.is_sure and owner.st_uid == 0
        if opened.rest != Path() or (is_roots_folder and not _is_open_to_others(owner)):
            return False
        found = os.stat(file.name, dir_fd=opened.descriptor, follow_symlinks=False)
    except FileNotFoundError:
        return False
    finally:
        os.close(opened.descriptor)
    return is_roots_folder or _is_roots_own(found)


def _is_roots_own(found: os.stat_result) -> bool:
    return stat.S_ISREG(found.st_mode) and found.st_uid == 0 and found.st_nlink == 1


# --- folders that their owner cannot reach ----------------------------------------------------------------------------


@cache
def _mounts() -> Iterator[Path]:
    """Return an iterator over unused mount points in this process's private mount namespace.

    The first call creates the namespace; raises OSError if that fails.
    """
    MOUNTS.mkdir(exist_ok=True)
    libc = ctypes.CDLL(None, use_errno=True)
    _done(libc.unshare(NEW_NAMESPACE))
    _done(libc.mount(b"none", b"/", None, RECURSIVE | PRIVATE, None))
    _done(libc.mount(b"none", bytes(MOUNTS), b"tmpfs", 0, b"mode=0711"))
    return (MOUNTS / str(number) for number in count(1))


os.register_at_fork(after_in_child=_mounts.cache_clear)  # a child makes a namespace of its own, or mounts would collide


def _mounted(descriptor: int) -> Path:
    """Mount an open folder or file, and return the path of the mount."""
    place = next(_mounts())
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        place.mkdir()
    else:
        place.touch()
    libc = ctypes.CDLL(None, use_errno=True)
    _done(libc.mount(f"/proc/self/fd/{descriptor}".encode(), bytes(place), None, BIND, None))
    return place


def _mounted_file(file: Path) -> Path:
    """Mount a file where nobody can replace it, and return the path of the mount.

    Raises:
        Planted: the file is no regular file, or has other hard links.
    """
    folder = _open(file.parent)
    try:
        opened = os.open(file.name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder.descriptor)
    finally:
        os.close(folder.descriptor)
    try:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
            raise _planted(file, found)
        return _mounted(opened)
    finally:
        os.close(opened)


def _done(result: int) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(
            f"the owner of the folder cannot reach it, and it cannot be mounted for this ({os.strerror(code)}): "
            "expected a folder below folders that its owner may enter, or root with the right to mount"
        )
