"""quantloupe-cli without its start, for scripts that run it many times: a process loads LibTorch once, and each run is
forked from it. Starting the program takes most of a second."""
import ctypes
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


class ForkedCli:
    """program: the path of quantloupe-cli, built without sanitizers: no other program can load one that has them."""

    def __init__(self, program):
        self._server = subprocess.Popen([sys.executable, "-B", __file__, str(program)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def run(self, *arguments):
        """Like subprocess.run([program, *arguments], capture_output=True, text=True)."""
        words = [str(a) for a in arguments]
        print(json.dumps(words), file=self._server.stdin, flush=True)
        return subprocess.CompletedProcess(words, *json.loads(self._server.stdout.readline()))


def serve(program):
    os.environ.setdefault("GOMP_SPINCOUNT", "3000")  # as the program's launcher does
    library = Path(program).resolve().parent.parent / "lib" / "libquantloupe-cli.so"
    entry = ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL).quantloupeCli
    flush = ctypes.CDLL(None).fflush
    for line in sys.stdin:
        words = [program, *json.loads(line)]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(os.devnull) as nothing:
            child = os.fork()
            if child == 0:
                for number, file in enumerate((nothing, out, err)):
                    os.dup2(file.fileno(), number)
                argv = (ctypes.c_char_p * (len(words) + 1))(*(os.fsencode(word) for word in words), None)
                code = entry(len(words), argv)
                flush(None)
                os._exit(code)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            out.seek(0)
            err.seek(0)
            print(json.dumps([code, out.read().decode(), err.read().decode()]), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
