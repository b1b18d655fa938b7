/** Entry point of the page with a website's sources: htmx shows what becomes of their pages. */

import "./htmx_policy.js";
import { configureHtmx } from "./htmx_requests.js";

configureHtmx({ hint: () => {} }); // the page asks by itself, and has nothing to lose
