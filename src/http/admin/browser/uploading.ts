import { requestErrorText } from "./faults.ts";

export interface UploadedMediaFile {
  id: string;
  name: string;
  path: string;
  alt: string;
  isDecorative: boolean;
  isPicture: boolean;
  thumbnail: string | null;
}

/** Uploads a file with the CSRF token from `form`. */
export async function uploadFile(
  form: HTMLFormElement | null,
  file: File,
): Promise<UploadedMediaFile | { fault: string }> {
  const body = new FormData();
  body.set("token", form?.querySelector<HTMLInputElement>("input[name=token]")?.value ?? "");
  body.set("file", file);
  const answer = await fetch("/admin/media/upload", { method: "POST", body }).catch(() => null);
  return answer?.ok === true
    ? await answer.json()
    : { fault: requestErrorText(answer, document.body.dataset) };
}
