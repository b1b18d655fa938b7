/** Links of one's own: what copies them. */

import { wireCopies } from "./elements/copies.js";

wireCopies(document.body);
