/** Entry point of pages with Copy buttons, such as shared links and a website's tag. */

import { wireCopyFields } from "./controllers/ui/copy_fields.js";

wireCopyFields(document.body);
