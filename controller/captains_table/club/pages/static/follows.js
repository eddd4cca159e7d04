"use strict";
// Live updates of an event's page.

followTable(document.body.dataset.follows, { onFragments: swapAll, onConnected: showLine, onBoot: renewPage });
