"""Read the exports of other chat programs: docs/import_formats.md."""
