import { AppError } from "../../errors.ts";
import type { Draft, DraftStore } from "./draft.ts";

/** @throws {AppError} `not_found`. */
export async function requireExistingDraft(
  drafts: Pick<DraftStore, "byId">,
  id: string,
): Promise<Draft> {
  const draft = await drafts.byId(id);
  if (draft !== null) return draft;
  const message = {
    en: `There is no draft ${id}: it was published or discarded, or never existed`,
    de: "Diesen Entwurf gibt es nicht mehr: Er wurde veröffentlicht oder verworfen",
  };
  throw new AppError("not_found", message);
}

/** @throws {AppError} `precondition`, naming both versions. */
export function requireDraftVersion(draft: Draft, version: number | undefined): void {
  if (version === undefined || version === draft.version) return;
  throw new AppError("precondition", {
    en: `The draft is at version ${draft.version}, not ${version}: ${draft.editors.join(", ")} saved it meanwhile. Read it again, then repeat`,
    de: "Inzwischen hat jemand anders in diesem Entwurf gespeichert: Öffnen Sie ihn neu und ändern Sie dann noch einmal",
  });
}
