import { auditLog } from "./screens/audit.ts";
import { contentList } from "./screens/content-list.ts";
import { desk } from "./screens/desk.ts";
import { draftScreens } from "./screens/draft-editor.ts";
import { draftList } from "./screens/drafts.ts";
import { itemScreens } from "./screens/item.ts";
import { keyScreens } from "./screens/keys.ts";
import { messageScreens } from "./screens/messages.ts";
import { peopleScreens } from "./screens/people.ts";
import { publishScreens } from "./screens/publish-step.ts";
import { requestScreens } from "./screens/requests.ts";
import type { Screen } from "./screens/screen.ts";
import { settingsScreens } from "./screens/settings.ts";

/** Every screen of the administrators' interface. */
export const SCREENS: readonly Screen[] = [
  desk,
  contentList,
  ...itemScreens,
  draftList,
  ...draftScreens,
  ...publishScreens,
  ...requestScreens,
  ...messageScreens,
  ...keyScreens,
  ...peopleScreens,
  ...settingsScreens,
  auditLog,
];
