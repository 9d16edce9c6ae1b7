import { isPictureType, type MediaFile } from "../../../../content/media/media.ts";
import { mediaFileName, parseMediaFileName } from "../../../../content/media/media-kinds.ts";
import { thumbnailPath } from "../../../../content/media/picture-sizes.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { Texts } from "../../texts/english.ts";

export const MEDIA_SCREEN_PATH = "/admin/media";
/** The path under which signed-in people get every file, public or not. */
export const ADMIN_FILES_PATH = `${MEDIA_SCREEN_PATH}/files/`;

/** Replaces the public addresses of pictures in a page by addresses for signed-in people. */
export function withAdminFilePaths(page: string): string {
  return page.replaceAll(/ (?:src|srcset)="[^"]*"/g, (attribute) =>
    attribute.replaceAll("/media/", ADMIN_FILES_PATH),
  );
}

export function adminFilePath(medium: MediaFile): string {
  return ADMIN_FILES_PATH + mediaFileName(medium);
}

/** Shows the smallest version of a picture, or the extension of any other file. */
function thumbnail(medium: MediaFile): SafeHtml {
  const { type, alt } = medium;
  if (!isPictureType(type)) {
    const extension = mediaFileName(medium).split(".")[1]?.toUpperCase() ?? "";
    return html`<span class="file" aria-hidden="true">${extension}</span>`;
  }
  const source = thumbnailPath(medium).replace("/media/", ADMIN_FILES_PATH);
  return html`<img src="${source}" alt="${alt}" loading="lazy" decoding="async">`;
}

/** Path of the screen on which editors without scripts choose a picture for a draft's text. */
export function draftPicturesPath(draft: string): string {
  return `${MEDIA_SCREEN_PATH}?${new URLSearchParams({ kind: "image", draft })}`;
}

/** A file in the grid. `query` is appended to the address of the file's screen. */
export function mediaCard(
  medium: MediaFile,
  { isPublic, texts: { media: t }, query }: { isPublic: boolean; texts: Texts; query: string },
): SafeHtml {
  const { id, name, type, alt, isDecorative } = medium;
  const needsAlt = isPictureType(type) && alt === "" && !isDecorative;
  return html`<li><a href="${MEDIA_SCREEN_PATH}/${id}${query}">${thumbnail(medium)}<span class="name">${name}</span></a>
<span class="tag ${isPublic ? "published" : "draft"}">${isPublic ? t.isPublic : t.isPrivate}</span>${needsAlt && html` <span class="tag">${t.undescribed}</span>`}</li>
`;
}

/** The properties of a file that scripts need to show the file and to insert it into a text. */
export function mediaFileForScripts(medium: MediaFile) {
  const { id, name, type, alt, isDecorative } = medium;
  return {
    ...{ id, name, alt, isDecorative },
    path: `/media/${mediaFileName(medium)}`,
    isPicture: parseMediaFileName(mediaFileName(medium))?.kind.use === "picture",
    thumbnail: isPictureType(type)
      ? thumbnailPath(medium).replace("/media/", ADMIN_FILES_PATH)
      : null,
  };
}
