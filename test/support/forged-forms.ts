type Headers = Readonly<Record<string, string>>;

/** Five ways for another site to send a form with a victim's cookie, by the headers that it cannot avoid. */
export const FORGED_FORMS: readonly (readonly [way: string, headers: Headers])[] = [
  ["from another site", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }],
  ["from another host of the domain", { "Sec-Fetch-Site": "same-site" }],
  ["from a page that hides its origin", { Origin: "null", "Sec-Fetch-Site": "" }],
  ["from a program without either header", { Origin: "", "Sec-Fetch-Site": "" }],
  ["with JSON as text", { "Content-Type": "text/plain" }],
];
