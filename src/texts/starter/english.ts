/** A page of a new site, for its editors to rewrite; `body` is Markdown. */
export interface StarterPage {
  title: string;
  summary: string;
  body: string;
}

/** A starter page with an address in the language of the site. */
export interface StarterPageWithPath extends StarterPage {
  /**
   * ASCII, so that people can type and paste the path anywhere. For languages in other scripts the
   * path is English, as is common on their sites.
   */
  path: string;
}

/** The texts of a new site in one language. */
export interface StarterTexts {
  language: string;
  site: { name: string; description: string; purpose: string };
  /** Texts that contain the name of the site, for the files of a new site folder. */
  withSiteName: {
    description: (name: string) => string;
    home: (name: string) => string;
  };
  home: StarterPage;
  about: StarterPageWithPath;
  contact: StarterPage;
  privacy: StarterPageWithPath;
  imprint: StarterPageWithPath;
  accessibility: StarterPageWithPath;
}

export const ENGLISH_STARTER: StarterTexts = {
  language: "en",
  site: {
    name: "New site",
    description: "A site that has just been set up and has not been described yet.",
    purpose: "see what this association publishes",
  },
  withSiteName: {
    description: (name) => `What ${name} publishes, for people and for research agents.`,
    home: (name) => `This is the website of ${name}. It has just been set up.`,
  },
  home: {
    title: "New site",
    summary: "This site has just been set up.",
    body: "Its editors will say here what the site is for. Read [about us](/about), or [write to us](/contact).",
  },
  about: {
    path: "/about",
    title: "About us",
    summary: "Who publishes this site.",
    body: "Its editors will say here who they are and how they work.",
  },
  contact: {
    title: "Contact",
    summary: "How to reach the editors, and how to ask for a key to the MCP service.",
    body: "Its editors will say here who reads what you write. Reading needs no key; research agents that want to search through the MCP service need one. Use the forms below.",
  },
  privacy: {
    path: "/privacy",
    title: "Privacy",
    summary: "What the site stores about visitors.",
    body: "This site sets no cookies and runs no scripts in your browser. The server may keep a log of requests to find faults and abuse. The words of searches are counted by the day, without anything that tells who searched, and kept for 90 days.\n\nWhat you send with the forms on [the contact page](/contact) is kept so that it can be answered: your name, e-mail address and message, or what you tell of your organisation and your task when you ask for a key. A year after the last that was done about it, it is erased. If you get a key, your name, address and task stay with it. Your network address is kept in memory for an hour, to hold off abuse.",
  },
  imprint: {
    path: "/imprint",
    title: "Imprint",
    summary: "Who is responsible for this site.",
    body: "Name of the association  \nStreet and number  \nPostal code and town\n\nRepresented by: …  \nE-mail: …  \nRegister and number: …\n\nResponsible for the content: …",
  },
  accessibility: {
    path: "/accessibility",
    title: "Accessibility statement",
    summary: "How far this site can be used by everybody, and whom to tell of barriers.",
    body: "This statement was prepared on … after a review by ….\n\n## What works\n\nPages need no scripts, can be used by keyboard, follow the colours and text sizes of your device, and name the language of each text.\n\n## What does not\n\nList here what you know of, such as pictures without alternative text or documents that cannot be read aloud.\n\n## Tell us\n\nIf something is in your way, [write to us](/contact), and we answer within …. If we do not, you can turn to ….",
  },
};
