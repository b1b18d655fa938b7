"""Read the file on standard input; write its text to standard output, as JSON.

Files are hostile, and so may the libraries be that read them. So this process can use little
memory and time, writes no files and opens no connections; whatever happens to it, the server only
learns that the file can't be read. `python -m chat.documents.reader MAX_CHARS ENDING`
"""

import sys

import msgspec

from chat.documents.reader import files, sandbox
from chat.documents.reader.document_text import DocumentText


def main() -> None:
    most_characters, ending = int(sys.argv[1]), sys.argv[2]
    content = sys.stdin.buffer.read()
    files.load_for(content)  # libraries need files, and threads
    sandbox.enter()
    try:
        text = files.text_of(content, ending, most_characters)
    except (MemoryError, RecursionError):
        text = DocumentText(problem="too_complex")
    sys.stdout.buffer.write(msgspec.json.encode(text))


if __name__ == "__main__":
    main()
