import { formatsOf } from "../formats.ts";

const { number, counted } = formatsOf("en");

/** Texts of visitor forms and error pages. */
export const ENGLISH_FORMS = {
  contact: {
    title: "Contact",
    writeToEditors: "Write to the editors",
    writeIntro:
      "A person fills in this form in a browser; a person reads it, and answers by e-mail.",
    alsoByMail: <Part>(address: Part) => ["You can also write to ", address, "."],
    whatWeKeep: "What we keep of it",
    askForKey: "Ask for a key",
    askIntro: <Part>(claim: Part) => [
      "Every page can be read without a key. The MCP service for research agents needs one, which the administrators issue. A person fills in this form in a browser, and a person decides. Do you already have a claim code? ",
      claim,
      ".",
    ],
    name: "Your name",
    email: "Your e-mail address",
    emailHint: "The answer goes there.",
    about: "Page it is about",
    aboutHint: "Its address, if your message is about a page.",
    message: "Your message",
    sendMessage: "Send the message",
    organisation: "Your organisation",
    task: "What is the key for?",
    taskHint: "What your agent or program is to do, for whom, and about how often it will ask.",
    data: "Which content does it need?",
    dataHint: "Topics, authors, works, or all of it.",
    access: "What should the key allow?",
    read: "Reading: search and read what is published",
    write: "Reading and writing: for people who work on this site",
    sendRequest: "Send the request",
    messageSent: "Thank you for your message",
    messageSentText: "It has arrived. The editors answer by e-mail to the address you gave.",
    requestSent: "Thank you for your request",
    requestSentText: "It has arrived. This is what happens next:",
    requestIsRead: "A person reads your request and decides. That can take some days.",
    requestIsAnswered:
      "You will hear by e-mail at the address you gave. If the key is granted, you get a claim code.",
    requestIsClaimed: <Part>(claim: Part) => [
      "With the code you get the key, within seven days: ",
      claim,
      ".",
    ],
    homePage: "Home page",
  },

  claim: {
    title: "Claim your key",
    enterCode: "Enter your claim code",
    code: "Claim code",
    codeHint: "It begins with cplc_ and came to you from the administrators.",
    showKey: "Show my key",
    intro: <Part>(askAgain: Part) => [
      "A granted request comes with a claim code. Enter it here to get your key: the code works once, and the key is shown once, so have a safe place for it ready. Did you lose the code, or has it expired? ",
      askAgain,
      ".",
    ],
    askAgain: "Ask for another",
    yourKey: "Your key",
    shownOnce:
      "This page shows the key only once. Copy it now and keep it where you keep passwords.",
    allows: (what: readonly string[]) => `It allows: ${what.join("; ")}.`,
    rate: (perMinute: number) =>
      counted(perMinute, { one: "# request a minute", other: "# requests a minute" }),
    noEnd: "no end",
    until: (day: string) => `until ${day}`,
    onlyFrom: (networks: readonly string[]) => `from ${networks.join(", ")} only`,
    howToUse: "How to use it",
    asHeader: "Send it as a header with every request, and never put it into an address:",
    service: (address: string) =>
      `The MCP service is at ${address} (streamable HTTP). Many clients take a configuration like this:`,
    interface: (address: string, root: string) =>
      `The administrative interface is at ${address}; ${root} lists what the key may request.`,
    /** Markdown with a link to the contact page. */
    ifLost: (contact: string) =>
      `If the key is lost or falls into the wrong hands, [write to us](${contact}): we replace it.`,
  },

  form: {
    putRight: "Please correct this",
    notSent: (title: string) => `Not sent yet – ${title}`,
    optional: "optional",
    leaveEmpty: "Leave this field empty",
    /** Shown in place of a form on a page in Markdown, which cannot contain a form. */
    isAt: <Part>(address: Part) => ["The form is at ", address, ":"],
  },

  /** Explanations of errors, by HTTP status. Each is shown before the exact reason, which is in English. */
  errors: {
    400: "The request could not be understood.",
    403: "That is not allowed here.",
    404: "There is nothing at this address.",
    405: "This address does not accept that.",
    413: "That is too large.",
    415: "This kind of data is not accepted here.",
    429: "Those were too many requests. Wait a moment and try again.",
    500: "Something went wrong on our side. Try again later.",
    503: "The site is busy or being maintained. Try again in a moment.",
    homePage: "Home page",
    request: "Request",
  },

  faults: {
    nameMissing: "Tell us your name",
    emailMissing: "Give an e-mail address",
    emailWrong: "Give an e-mail address, as name@example.org",
    messageMissing: "Write your message",
    taskMissing: "Tell us what the key is for",
    accessMissing: "Choose reading, or reading and writing",
    codeMissing: "Enter your claim code",
    codeWrong: "This claim code is not valid, has been used or has expired",
    severalLines: "Write this on one line",
    controlCharacters: "Leave out control characters: they cannot be shown",
    tooLong: (charactersMax: number) => `Give at most ${number(charactersMax)} characters`,
    other: "Write this differently: it cannot be used as it is",
    formTampered:
      "The form did not come from this page as it is now: look it over and send it again",
    formOld: "This form was opened more than a day ago: look it over and send it again",
    formTooFast: "That was faster than a person fills in a form: look it over and send it again",
    notSaved:
      "We cannot save what you sent at the moment. It is still below as you wrote it: send it again in a minute, or write to us by e-mail",
    codeNotChecked:
      "We cannot check your code at the moment. It is still valid: enter it again in a minute",
    sentTooOften: (times: number, minutes: number) =>
      `Your network has sent this form ${number(times)} times in an hour: send it again in ${counted(minutes, { one: "# minute", other: "# minutes" })}, or write to us by e-mail`,
    triedTooOften: (times: number, minutes: number) =>
      `Your network has tried ${number(times)} codes in an hour: try again in ${counted(minutes, { one: "# minute", other: "# minutes" })}`,
  },
};
