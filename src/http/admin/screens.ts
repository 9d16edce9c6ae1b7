import { keyScreens } from "./screens/access/keys.ts";
import { messageScreens } from "./screens/access/messages.ts";
import { peopleScreens } from "./screens/access/people.ts";
import { personalDataScreens } from "./screens/access/personal-data.ts";
import { keyRequestScreens } from "./screens/access/requests.ts";
import { contentListScreen } from "./screens/content/content-list.ts";
import { deskScreen } from "./screens/content/desk.ts";
import { draftListScreen } from "./screens/content/drafts.ts";
import { searchScreen } from "./screens/content/find.ts";
import { itemScreens } from "./screens/content/item.ts";
import { nameSuggestionScreen } from "./screens/content/name-suggestions.ts";
import { reviewScreens } from "./screens/content/review.ts";
import { selectionScreen } from "./screens/content/selection.ts";
import { trashScreen } from "./screens/content/trash.ts";
import { versionScreens } from "./screens/content/versions.ts";
import { withdrawScreens } from "./screens/content/withdraw.ts";
import { createItemFromTitleScreen } from "./screens/editor/create-item-from-title.ts";
import { draftActionScreens } from "./screens/editor/draft-actions.ts";
import { draftEditorScreen } from "./screens/editor/draft-editor.ts";
import { draftNoteScreens } from "./screens/editor/draft-notes.ts";
import { draftPreviewScreen } from "./screens/editor/draft-preview.ts";
import { pasteScreen } from "./screens/editor/paste.ts";
import { presenceScreens } from "./screens/editor/presence.ts";
import { draftReviewScreens } from "./screens/editor/publishing/draft-review.ts";
import { publishScreens } from "./screens/editor/publishing/publish-step.ts";
import { shareScreens } from "./screens/editor/share.ts";
import type { Screen } from "./screens/frame/screen.ts";
import { mergeScreens } from "./screens/many/merge.ts";
import { replaceScreens } from "./screens/many/replace.ts";
import { selectedLinksScreen } from "./screens/many/selected-links.ts";
import { mediaFileScreen } from "./screens/media/media-file.ts";
import { mediaListScreen, picturePickerScreen } from "./screens/media/media-list.ts";
import { mediaDetailScreens } from "./screens/media/medium.ts";
import { fileReplacementScreens } from "./screens/media/replacing.ts";
import { uploadScreens } from "./screens/media/uploads.ts";
import { healthScreen } from "./screens/running/health.ts";
import { insightScreen } from "./screens/running/insight.ts";
import { jobScreens } from "./screens/running/jobs.ts";
import { linkScreens } from "./screens/running/links.ts";
import { oldAddressScreens } from "./screens/running/old-addresses.ts";
import { redirectScreens } from "./screens/running/redirects.ts";
import { webhookScreens } from "./screens/running/webhooks.ts";
import { appearanceScreens } from "./screens/site/appearance.ts";
import { auditLogScreen } from "./screens/site/audit.ts";
import { homeScreens } from "./screens/site/home.ts";
import { languageScreens } from "./screens/site/languages.ts";
import { navigationScreens } from "./screens/site/navigation.ts";
import { settingsScreens } from "./screens/site/settings.ts";
import { siteViewScreen } from "./screens/site/site-view.ts";
import { typeEditingScreens } from "./screens/site/type-editing.ts";
import { typesScreen } from "./screens/site/types.ts";

/** All screens of the administrators' interface. */
export const SCREENS: readonly Screen[] = [
  deskScreen,
  searchScreen,
  contentListScreen,
  nameSuggestionScreen,
  ...itemScreens,
  ...withdrawScreens,
  selectionScreen,
  selectedLinksScreen,
  ...replaceScreens,
  ...mergeScreens,
  ...reviewScreens,
  ...versionScreens,
  draftListScreen,
  draftEditorScreen,
  ...draftActionScreens,
  draftPreviewScreen,
  createItemFromTitleScreen,
  pasteScreen,
  ...publishScreens,
  ...shareScreens,
  ...draftReviewScreens,
  ...draftNoteScreens,
  ...presenceScreens,
  mediaListScreen,
  picturePickerScreen,
  ...uploadScreens,
  mediaFileScreen,
  ...mediaDetailScreens,
  ...fileReplacementScreens,
  ...keyRequestScreens,
  ...messageScreens,
  ...keyScreens,
  ...peopleScreens,
  ...personalDataScreens,
  ...settingsScreens,
  siteViewScreen,
  ...appearanceScreens,
  ...homeScreens,
  ...languageScreens,
  ...navigationScreens,
  typesScreen,
  ...typeEditingScreens,
  trashScreen,
  ...redirectScreens,
  ...oldAddressScreens,
  ...linkScreens,
  ...webhookScreens,
  ...jobScreens,
  insightScreen,
  healthScreen,
  auditLogScreen,
];
