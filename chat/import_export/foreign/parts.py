"""The parts of one message: its text, with the calls of tools between its paragraphs."""

from chat.import_export.foreign.calls import Step


class Parts:
    """Adjacent texts continue each other; a part between them begins a paragraph."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._run: list[str] = []
        self._length = 0
        self.steps: list[Step] = []

    def add_text(self, text: str) -> None:
        self._run.append(text)

    def end_paragraph(self) -> None:
        run = "".join(self._run)
        self._run = []
        if run.strip():
            self._length += len(run) + (2 if self._texts else 0)
            self._texts.append(run)

    def add_step(self, step: Step) -> None:
        self.end_paragraph()
        step.offset = self._length
        self.steps.append(step)

    @property
    def text(self) -> str:
        self.end_paragraph()
        return "\n\n".join(self._texts)
