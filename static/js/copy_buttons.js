/** A page with Copy buttons: shared links, a website's tag. */

import { wireCopyFields } from "./controllers/ui/copy_fields.js";

wireCopyFields(document.body);
