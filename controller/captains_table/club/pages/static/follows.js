"use strict";
// A page of an event follows what the tables tell, and what the arbiter does.

followTable(document.body.dataset.follows, { onFragments: swapAll, onConnected: showLine, onBoot: renewPage });
