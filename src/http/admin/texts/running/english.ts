/** Texts of redirects, webhooks, jobs, insight and trash. */
export const REDIRECTS_ENGLISH = {
  title: "Redirects",
  hint: "Addresses of a former site lead on to pages of this one, or to another site. When a page of this site moves, that happens by itself.",
  from: "Former address",
  fromHint:
    "A path, as /old/page.html or /?p=12, or a whole address; /blog/* for everything below /blog.",
  to: "Leads to",
  toHint:
    "The address of a page of this site, as /topics/time, or of another site. After /blog/*, :splat is the part that * matches: /news/:splat.",
  add: "Add",
  remove: "Remove",
  present: "Present redirects",
  several: "Several at once",
  severalHint:
    "One a line: the former address, a space or comma, and where it leads. Lists of Apache (.htaccess), Netlify (_redirects) and spreadsheets are understood.",
  severalAdd: "Add all",
  severalDone: "What became of the list",
  severalCounts: (created: number, unchanged: number, skipped: number, failed: number) =>
    `${created} added, ${unchanged} there already, ${skipped} not needed, ${failed} failed.`,
  severalLine: (line: number, reason: string) => `Line ${line}: ${reason}`,
  back: "Back to the redirects",
  none: "There are none.",
};

export const LINKS_ENGLISH = {
  title: "Links",
  hint: "Every address that public pages link to is asked for, each host at most once a second. What failed is asked for again before it counts as broken.",
  states: {
    broken: "Broken",
    unsure: "Unsure",
    moved: "Moved for good",
    good: "Good",
    new: "Not asked yet",
  },
  none: "There are none.",
  leadsTo: "leads to",
  checked: (when: string) => `asked ${when}`,
  more: "More",
};

export const WEBHOOKS_ENGLISH = {
  title: "Webhooks",
  hint: "Webhooks notify other programs of changes here: each event is sent to an address, signed, and tried again if it fails.",
  none: "There are none.",
  add: "Add a webhook",
  url: "Address",
  events: "Events",
  eventsHint: "As content.* or content.publish; several with spaces between them.",
  eventsFault: "Give events as content.publish or content.*, with spaces between them",
  description: "What it is for",
  states: { enabled: "On", disabled: "Off" },
  failing: (count: string) => `failed in a row: ${count}`,
  test: "Send a test",
  enable: "Turn on",
  disable: "Turn off",
  rotate: "New secret",
  remove: "Delete",
  deliveries: "Deliveries",
  noDeliveries: "Nothing has been sent yet.",
  outcomes: { waiting: "Waiting", delivered: "Delivered", failed: "Failed" },
  attempts: (count: string) => `attempts: ${count}`,
  retry: "Send again",
  secretOnce:
    "This is the secret that signs what is sent. It is shown only now: give it to the receiving program.",
};

export const JOBS_ENGLISH = {
  title: "Import and export",
  none: "Nothing in the last week.",
  latest: "Latest",
  kinds: { import: "Import", export: "Export" },
  states: {
    queued: "Waiting",
    running: "Running",
    done: "Done",
    failed: "Failed",
    cancelled: "Cancelled",
  },
  export: "Export everything",
  exportHint: "One file with every item in every status, which an import takes back.",
  import: "Import",
  file: "File of JSON lines",
  fileHint: "Up to 1 MB here; larger ones and folders with the command line.",
  lines: "Or the lines themselves",
  dryRun: "Only report what would happen",
  lenient: "Leave out fields that no type declares",
  progress: (done: string, total: string) => `${done} of ${total}`,
  refresh: "Refresh",
  cancel: "Cancel",
  download: "Download",
  did: "What was done",
  wouldDo: "What would be done",
  created: "New",
  updated: "Changed",
  unchanged: "Unchanged",
  failed: "Not possible",
  problems: (count: string) => `Problems: ${count}`,
  line: (number: string) => `Line ${number}`,
};

export const INSIGHT_ENGLISH = {
  title: "Insight",
  period: (since: string, until: string) =>
    `${since} to ${until}. Totals only: nothing about visitors is kept.`,
  views: "Page views",
  topPages: "Viewed most",
  page: "Page",
  missing: "Asked for and not found",
  missingHint: "Addresses that visitors and programs asked for, and where nothing is.",
  lead: "Lead on",
  searches: "Searches",
  withoutResult: "Without a result",
  topSearches: "Searched most",
  searched: "Searched for",
  use: "Calls with keys",
  byKey: "By key",
  key: "Key",
  byTool: "By tool",
  tool: "Tool",
  day: "Day",
  number: "Number",
  highest: (count: string) => `at most ${count} a day`,
  asTable: "As a table",
  none: "Nothing yet.",
};

export const TRASH_ENGLISH = {
  title: "Trash",
  hint: (days: string) => `What was deleted can be brought back for ${days} days, as a draft.`,
  none: "The trash is empty.",
  deleted: (when: string) => `deleted ${when}`,
  restore: "Bring back",
  files: "Pictures and files",
};

export const HAND_OVER_ENGLISH = {
  address: "Address of the service",
  clients: "Ready for clients",
  hint: "Each text holds the key: pass it on as safely as the key itself.",
  cursor: "Cursor, Windsurf and others (mcp.json)",
  vsCode: "Visual Studio Code (.vscode/mcp.json)",
  bridge: "Claude Desktop and others that start programs",
};
