/** Entry point of the page with a member's usage: the keyboard and the mouse show the values of the charts. */

import { wireChart } from "./controllers/review/chart_days.js";

for (const chart of document.querySelectorAll(".chart")) wireChart(/** @type {HTMLElement} */ (chart));
