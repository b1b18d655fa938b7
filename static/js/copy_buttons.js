/** A page with things to copy: links of one's own, the tag of a website. */

import { wireCopies } from "./elements/copies.js";

wireCopies(document.body);
