import type { Wording } from "../errors.ts";
import { connectionFault } from "../webhooks/sending/public-network.ts";
import { ASKING_FAULTS } from "./asking/ask-link.ts";
import { NO_SUCH_PAGE } from "./finding-links.ts";
import { answers } from "./judging-links.ts";
import type { Link } from "./link.ts";

/** What was wrong with a link, in every language; it is stored in English. */
export function faultOf({ fault, status }: Pick<Link, "fault" | "status">): Wording | null {
  if (fault === null) return null;
  const known = [NO_SUCH_PAGE, answers(status), ...ASKING_FAULTS];
  return known.find(({ en }) => en === fault) ?? connectionFault(fault);
}
