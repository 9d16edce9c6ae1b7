import type { Item } from "../../../content/items/item.ts";
import type { BufferedChange, ReadingWriter, RetiredItem } from "./reading-writer.ts";

type ChangeMethods = Pick<
  ReadingWriter,
  "put" | "retire" | "redirect" | "lead" | "leadNowhere" | "dropRedirect"
>;

/** Turns calls of a {@link ReadingWriter} into data, so that they can be buffered. */
export abstract class ChangeCollector implements ChangeMethods {
  abstract add(change: BufferedChange): void;

  put(item: Item): void {
    this.add({ kind: "put", item });
  }

  retire({ id, type, path, title, updatedAt }: RetiredItem, gone: boolean): void {
    this.add({ kind: "retire", item: { id, type, path, title, updatedAt }, gone });
  }

  redirect(from: string, toItemId: string): void {
    this.add({ kind: "redirect", from, toItemId });
  }

  lead(from: string, toPath: string): void {
    this.add({ kind: "lead", from, toPath });
  }

  leadNowhere(from: string): void {
    this.add({ kind: "leadNowhere", from });
  }

  dropRedirect(from: string): void {
    this.add({ kind: "dropRedirect", from });
  }
}
