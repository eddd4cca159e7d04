"use strict";
// Bidding: the raise buttons, the choice of the bidder, and leaving an auction.

let passedOver = null; // the auction in which this page's user bids no more

let hastyMs = 700; // so long after somebody else's bid the buttons take no press: it was meant for what they said before
let hastyUntil = 0;
const ownBids = new Map(); // what this page bid last for each seat

/** Return the bids of an auction by seat, and the auction. */
function bidsIn(element) {
  return [auctionIn(element), ...[...element.querySelectorAll(".bids li")].map((line) => line.querySelector("b")?.textContent)];
}

/** Take no press for a moment if somebody else bid in the same auction. */
function noteBids(before, after) {
  if (before[0] !== after[0]) return void ownBids.clear();
  const isOthers = (bid, at) => bid !== before[at] && Number(bid) !== ownBids.get(at - 1);
  if (after.some(isOthers)) hastyUntil = performance.now() + hastyMs;
}

document.addEventListener("click", (event) => {
  if (performance.now() >= hastyUntil || !event.target.closest(".ask-auction button")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  say(inWords("Somebody bid meanwhile: look again"));
}, { capture: true });

/** Return the bidder of a form with their limits; null while none is chosen. */
function bidderIn(form) {
  const { bidder } = form.elements;
  if (bidder && !bidder.value) return null;
  const { least, most } = (bidder?.selectedOptions[0] ?? form).dataset;
  return { seat: Number(bidder?.value ?? form.dataset.bid), least: Number(least), most: Number(most) };
}

/** Return the bidder; if none is chosen, ask for one. */
function askedBidder(form) {
  const bidder = bidderIn(form);
  if (bidder) return bidder;
  form.elements.bidder.focus();
  say(inWords("Who bids? Choose first: nothing was bid."));
  return null;
}

function amountIn(form) {
  return form.querySelector('input[type="number"]');
}

/** Return the amount that a raise button bids for a bidder; undefined for "all" without a bidder. */
function raised(form, words, bidder) {
  return words === "all" ? bidder?.most : Number(form.dataset.highest) + Number(words);
}

/** Adapt buttons and limits to the chosen bidder; suggest a new amount unless the user has typed one. */
function layOutBids(form) {
  const bidder = bidderIn(form);
  const [least, most] = [bidder?.least ?? Number(form.dataset.least), bidder?.most ?? Number(form.dataset.most)];
  for (const button of form.querySelectorAll("[data-raise]")) {
    const words = button.dataset.raise;
    const value = raised(form, words, bidder);
    button.disabled = value > most || value < least;
    if (words !== "all") button.textContent = inWords("{raise}: bid {bid}", { raise: `+${words}`, bid: value });
    else button.textContent = value ? inWords("All: bid {bid}", { bid: value }) : inWords("All");
  }
  const amount = amountIn(form);
  const isTyped = amount.value !== amount.defaultValue;
  amount.min = least;
  amount.max = most;
  amount.defaultValue = Math.min(Math.max(least, Number(form.dataset.highest) + 1), most);
  if (!isTyped) amount.value = amount.defaultValue;
  form.dataset.bid = bidder?.seat ?? "";
}

function proposeAnew(form) {
  amountIn(form).value = amountIn(form).defaultValue;
}

/** Send a bid if a bidder is chosen; return whether it was sent. */
function sendBid(form, value) {
  const bidder = askedBidder(form);
  if (bidder) {
    ownBids.set(bidder.seat, value);
    answer(form, { type: "bid", seat: bidder.seat, value });
  }
  return bidder !== null;
}

function auctionIn(element) {
  return element.querySelector("[data-auction]")?.dataset.auction;
}

function showLetGo(ask) {
  const auction = auctionIn(ask);
  ask.querySelector("[data-auction]")?.classList.toggle("is-let-go", auction !== undefined && auction === passedOver);
}

clicks["[data-raise]"] = (button) => {
  const form = button.closest("form");
  const bidder = askedBidder(form);
  if (bidder && confirmed(button)) sendBid(form, raised(form, button.dataset.raise, bidder));
};

/** Bid the least for the only bidder; then ring the bell, if the bid was taken. */
clicks["[data-act]"] = (button) => {
  const { act, bidder } = button.dataset;
  const revision = Number(button.closest("[data-revision]").dataset.revision);
  ownBids.set(Number(bidder), Number(act));
  const tell = (action) => send("/answer", { revision, action });
  button.disabled = true;
  queue = queue
    .then(async () => await tell({ type: "bid", seat: Number(bidder), value: Number(act) }) && tell({ type: "bell" }))
    .then((done) => { button.disabled = done; });
};

clicks["[data-let-go]"] = (button) => {
  const ask = document.getElementById("ask");
  passedOver = button.closest("form") ? auctionIn(ask) : null;
  showLetGo(ask);
};

document.addEventListener("change", (event) => {
  const form = event.target.closest("form.bidding");
  if (!form || event.target.name !== "bidder") return;
  if (form.dataset.bid !== "") proposeAnew(form); // the amount was typed for another bidder
  layOutBids(form);
});

swapping.push((id, element) => {
  if (id !== "ask") return undefined;
  const chosen = element.querySelector("[name=bidder]")?.value;
  const before = bidsIn(element);
  return () => {
    noteBids(before, bidsIn(element));
    const form = element.querySelector("form.bidding");
    if (form?.elements.bidder) {
      if (chosen && form.elements.bidder.value !== chosen) proposeAnew(form); // typed for a bidder who may bid no more
      layOutBids(form);
    }
    showLetGo(element);
  };
});
