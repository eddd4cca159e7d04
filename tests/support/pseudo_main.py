import sys

from tests.support.pseudo_table import serve

sys.exit(serve(sys.argv[1], sys.argv[2:]))
