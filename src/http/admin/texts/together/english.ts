/** Texts about several people working on one draft. */
export const ENGLISH_COLLABORATION_TEXTS = {
  presence: {
    here: (names: string, count: number) =>
      count === 1 ? `${names} is here too.` : `${names} are here too.`,
  },
  review: {
    title: (count: string) => `Waiting for review: ${count}`,
    asked: (name: string, when: string) => `${name} asks for a review, ${when}`,
    ask: "Ask for review",
    askOther: "Ask other editors to review it first",
    hint: "An editor publishes it. When it is ready, ask for a review: it then waits on the desk of the editors.",
    note: "What to look at; may be empty",
    withdraw: "Withdraw the request",
    sendBackNote: "What to change",
    sendBack: "Send it back",
  },
  draftNotes: {
    title: "Notes",
    label: "Note for the other editors",
    add: "Leave the note",
    remove: "Remove",
  },
  share: {
    link: "Show it to somebody",
    title: "Show the draft",
    intro:
      "Somebody without an account can see this draft as a page, as it is at that moment. They need a code, which works until it ends or you revoke it.",
    note: "For whom",
    ends: "Ends after",
    days: (days: number, count: string) => (days === 1 ? `${count} day` : `${count} days`),
    issue: "Make a code",
    handOver: "This code is shown only now. Hand it over; they enter it at",
    present: "Codes",
    none: "There are no codes.",
    anyone: "Without a name",
    until: (when: string) => `until ${when}`,
    seen: (when: string) => `last seen ${when}`,
    unseen: "not seen yet",
    revoke: "Revoke",
  },
};

export type CollaborationTexts = typeof ENGLISH_COLLABORATION_TEXTS;
