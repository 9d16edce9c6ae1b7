import { requestErrorText } from "./faults.ts";

/**
 * This script creates and uses passkeys. The forms remain hidden in browsers without passkey
 * support.
 */

const isSupported =
  typeof PublicKeyCredential === "function" &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential;

if (isSupported) {
  for (const hint of document.querySelectorAll<HTMLElement>("[data-no-passkeys]")) {
    hint.hidden = true;
  }
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void submit(form);
    });
  }
}

const submitting = new Set<HTMLFormElement>();

/** Submits the form with the device's response, or shows the error. */
async function submit(form: HTMLFormElement): Promise<void> {
  const fault = form.querySelector<HTMLElement>("[role=alert]");
  const field = form.querySelector<HTMLInputElement>("[name=response]");
  if (fault === null || field === null || submitting.has(form)) return;
  submitting.add(form);
  fault.hidden = true;
  try {
    field.value = JSON.stringify(await responseTo(form));
    form.submit();
  } catch (error) {
    fault.textContent = errorText(form, error);
    fault.hidden = false;
  } finally {
    submitting.delete(form);
  }
}

async function responseTo(form: HTMLFormElement): Promise<object> {
  const { challenge = "", passkey } = form.dataset;
  const token = form.querySelector<HTMLInputElement>("[name=token]")?.value;
  const body = new URLSearchParams(token === undefined ? {} : { token });
  const answer = await fetch(challenge, { method: "POST", body }).catch(() => null);
  if (answer?.headers.get("Content-Type")?.startsWith("application/json") !== true) {
    throw new Error(requestErrorText(answer, document.body.dataset));
  }
  const options = await answer.json();
  const credential =
    passkey === "create"
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
        });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("");
  return credential.toJSON();
}

/**
 * The text to show for an error. Our own errors contain their text; errors of the browser are
 * mapped by name.
 */
function errorText({ dataset }: HTMLFormElement, error: unknown): string {
  const { failed = "", cancelled = failed, exists = failed, wrongAddress = failed } = dataset;
  const { name, message } = error instanceof Error ? error : new Error("");
  if (name === "NotAllowedError" || name === "AbortError") return cancelled;
  if (name === "InvalidStateError") return exists;
  if (name === "SecurityError") return wrongAddress;
  return name === "Error" && message !== "" ? message : failed;
}
