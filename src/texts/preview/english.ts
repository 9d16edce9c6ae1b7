/** The page at which people without an account enter a code for a draft. */
export const ENGLISH_PREVIEW = {
  title: "See a draft",
  enterCode: "Enter your code",
  code: "Code",
  codeHint: "It begins with cplc_ and came to you from the editors.",
  show: "Show the draft",
  intro:
    "Somebody who writes for this site wants to show you a page before it is public. Enter the code that they gave you. You may come back and enter it again until it ends. Please do not pass it on.",
  codeMissing: "Enter your code",
  codeWrong: "This code is not valid, has expired, or its draft no longer exists",
  incomplete:
    "The draft cannot be shown yet, as something in it is missing. Ask whoever gave you the code",
};
