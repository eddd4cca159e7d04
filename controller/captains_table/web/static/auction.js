"use strict";
// Bidding: the buttons that raise, whose bid it is, and who lets an auction go.

let passedOver = null; // the auction that whoever looks bids no more in

/** Return whose bid a form makes, and between which bounds. */
function bidderIn(form) {
  const chosen = form.elements.bidder?.selectedOptions[0];
  const { least, most } = (chosen || form).dataset;
  return { seat: Number(chosen ? chosen.value : form.dataset.bid), least: Number(least), most: Number(most) };
}

function amountIn(form) {
  return form.querySelector('input[type="number"]');
}

/** Return what a large button bids for the bidder of its form. */
function raised(form, words) {
  return words === "all" ? bidderIn(form).most : Number(form.dataset.highest) + Number(words);
}

/** Let buttons and bounds be those of the bidder who is chosen; an amount that nobody typed is proposed anew. */
function layOutBids(form) {
  const { least, most } = bidderIn(form);
  for (const button of form.querySelectorAll("[data-raise]")) {
    const words = button.dataset.raise;
    const value = raised(form, words);
    button.disabled = value > most || value < least;
    if (!button.classList.contains("sure")) button.textContent = `${words === "all" ? "All" : `+${words}`}: bid ${value}`;
  }
  const amount = amountIn(form);
  const isTyped = amount.value !== amount.defaultValue;
  amount.min = least;
  amount.max = most;
  amount.defaultValue = Math.min(Math.max(least, Number(form.dataset.highest) + 1), most);
  if (!isTyped) amount.value = amount.defaultValue;
}

function sendBid(form, value) {
  answer(form, { type: "bid", seat: bidderIn(form).seat, value });
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
  if (confirmed(button)) sendBid(form, raised(form, button.dataset.raise));
};

clicks["[data-let-go]"] = (button) => {
  const ask = document.getElementById("ask");
  passedOver = button.closest("form") ? auctionIn(ask) : null;
  showLetGo(ask);
};

document.addEventListener("change", (event) => {
  const form = event.target.closest("form.bidding");
  if (!form || event.target.name !== "bidder") return;
  amountIn(form).value = amountIn(form).defaultValue;
  layOutBids(form);
});

// Others bid while one is about to bid all: that is asked on. A bell is not: it was meant for what was bid before.
swapping.push((id, element) => {
  if (id !== "ask") return undefined;
  const asked = element.querySelector("[data-raise].sure");
  const auction = auctionIn(element);
  return () => {
    const form = element.querySelector("form.bidding");
    if (form?.elements.bidder) layOutBids(form);
    if (asked && auctionIn(element) === auction) askAgain(element.querySelector(`[data-raise="${asked.dataset.raise}"]`));
    showLetGo(element);
  };
});
