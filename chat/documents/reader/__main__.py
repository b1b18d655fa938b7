"""Read the file on standard input; write its text to standard output, as JSON.

Files are hostile, and so may the libraries be that read them. So this process can use little
memory and time, writes no files and opens no connections; whatever happens to it, the server only
learns that the file can't be read. `python -m chat.documents.reader MAX_CHARS NAME`
"""

import sys

import msgspec

from chat.documents.reader import confinement, files
from chat.documents.reader.document_text import DocumentText


def main() -> None:
    most_characters, name = int(sys.argv[1]), sys.argv[2]
    content = sys.stdin.buffer.read()
    files.load_for(content)  # libraries need files, and threads
    confinement.confine()
    try:
        text = files.text_of(content, name, most_characters)
    except (MemoryError, RecursionError):
        text = DocumentText(problem="too_complex")
    sys.stdout.buffer.write(msgspec.json.encode(text))


if __name__ == "__main__":
    main()
