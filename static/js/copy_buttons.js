/** A page with things to copy: links of one's own, the tag of a website. */

import { wireCopyFields } from "./controllers/ui/copy_fields.js";

wireCopyFields(document.body);
