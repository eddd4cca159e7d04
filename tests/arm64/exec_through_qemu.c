/* Lets a program under qemu-user start others where the kernel knows no foreign binaries (no binfmt_misc): preloaded into
 * every program, it starts each through the emulator, of which a copy lies in the same root. Scripts are started through
 * the interpreter their first line names, as a kernel does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define EMULATOR "/usr/bin/qemu-aarch64-static"
#define PRELOADED "LD_PRELOAD=/usr/lib/exec_through_qemu.so"
#define MOST_WORDS 65536
#define BEFORE 6 /* words of the emulator's own, and an interpreter with its one argument */

extern char **environ;

/* A command as the emulator is to be told it. `words` is on the caller's stack: a child of vfork shares our heap. */
struct told {
    char first_line[256];
    char **words;
};

static size_t count(char *const words[]) {
    size_t number = 0;
    while (words && words[number])
        number++;
    return number;
}

/* Reads how a file begins; returns 0, or why it cannot be started. */
static int read_beginning(const char *path, char *line, size_t room) {
    struct stat found;
    if (stat(path, &found) != 0)
        return errno;
    if (!S_ISREG(found.st_mode) || access(path, X_OK) != 0)
        return EACCES;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno;
    ssize_t length = read(file, line, room - 1);
    close(file);
    if (length < 0)
        return EIO;
    line[length] = '\0';
    return 0;
}

/* Splits a first line of "#!" into the interpreter and its one argument, which may be missing. */
static void split_shebang(char *line, char **interpreter, char **argument) {
    line[strcspn(line, "\n")] = '\0';
    *interpreter = line + 2 + strspn(line + 2, " \t");
    char *end = *interpreter + strcspn(*interpreter, " \t");
    *argument = NULL;
    if (*end == '\0')
        return;
    *end++ = '\0';
    end += strspn(end, " \t");
    if (*end != '\0')
        *argument = end;
}

/* Puts together what the emulator is started with; returns 0, or why a file cannot be started. */
static int tell(struct told *told, const char *path, char *const argv[]) {
    int wrong = read_beginning(path, told->first_line, sizeof told->first_line);
    if (wrong != 0)
        return wrong;
    char **word = told->words;
    *word++ = EMULATOR;
    *word++ = "-E";
    *word++ = PRELOADED;
    if (memcmp(told->first_line, "\177ELF", 4) == 0) {
        *word++ = "-0";
        *word++ = argv && argv[0] ? argv[0] : (char *)path;
    } else if (strncmp(told->first_line, "#!", 2) == 0) {
        char *argument;
        split_shebang(told->first_line, word++, &argument);
        if (argument)
            *word++ = argument;
    } else {
        return ENOEXEC;
    }
    *word++ = (char *)path;
    for (size_t n = 1; n < count(argv); n++)
        *word++ = argv[n];
    *word = NULL;
    return 0;
}

#define TOLD(name, argv)                                                                                               \
    size_t name##_words = count(argv) + BEFORE + 3;                                                                    \
    if (name##_words > MOST_WORDS) {                                                                                   \
        errno = E2BIG;                                                                                                 \
        return -1;                                                                                                     \
    }                                                                                                                  \
    char *name##_room[name##_words];                                                                                   \
    struct told name = {.words = name##_room}

int execve(const char *path, char *const argv[], char *const envp[]) {
    TOLD(told, argv);
    int wrong = tell(&told, path, argv);
    if (wrong == 0)
        return (int)syscall(SYS_execve, EMULATOR, told.words, envp);
    errno = wrong;
    return -1;
}

/* Looks a command up in PATH; returns what to start, or the name itself. */
static const char *look_up(const char *name, char *room, size_t size) {
    const char *folders = getenv("PATH");
    if (strchr(name, '/'))
        return name;
    for (const char *from = folders ? folders : "/usr/bin:/bin"; *from;) {
        size_t length = strcspn(from, ":");
        snprintf(room, size, "%.*s/%s", (int)length, from, name);
        if (access(room, X_OK) == 0)
            return room;
        from += length + (from[length] == ':');
    }
    return name;
}

int execvpe(const char *name, char *const argv[], char *const envp[]) {
    char room[4096];
    return execve(look_up(name, room, sizeof room), argv, envp);
}

int execv(const char *path, char *const argv[]) { return execve(path, argv, environ); }
int execvp(const char *name, char *const argv[]) { return execvpe(name, argv, environ); }

#define GATHER(argv, first, last, after)                                                                               \
    char *argv[256];                                                                                                   \
    va_list rest;                                                                                                      \
    va_start(rest, last);                                                                                              \
    size_t number = 0;                                                                                                 \
    for (const char *word = first; word && number < 255; word = va_arg(rest, const char *))                            \
        argv[number++] = (char *)word;                                                                                 \
    argv[number] = NULL;                                                                                               \
    after;                                                                                                             \
    va_end(rest)

int execl(const char *path, const char *first, ...) {
    GATHER(argv, first, first, (void)0);
    return execve(path, argv, environ);
}

int execlp(const char *name, const char *first, ...) {
    GATHER(argv, first, first, (void)0);
    return execvpe(name, argv, environ);
}

int execle(const char *path, const char *first, ...) {
    GATHER(argv, first, first, char *const *envp = va_arg(rest, char *const *));
    return execve(path, argv, envp);
}

typedef int spawning(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                     char *const[], char *const[]);

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]) {
    spawning *spawn = (spawning *)dlsym(RTLD_NEXT, "posix_spawn");
    TOLD(told, argv);
    int wrong = tell(&told, path, argv);
    return wrong ? wrong : spawn(pid, EMULATOR, actions, attributes, told.words, envp);
}

int posix_spawnp(pid_t *pid, const char *name, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]) {
    char room[4096];
    return posix_spawn(pid, look_up(name, room, sizeof room), actions, attributes, argv, envp);
}

int system(const char *command) {
    pid_t child;
    int status = -1;
    char *argv[] = {"sh", "-c", (char *)command, NULL};
    if (!command)
        return 1;
    if (posix_spawn(&child, "/bin/sh", NULL, NULL, argv, environ) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
    return status;
}
