import type { CorpusTopic } from "./corpus.ts";
import type { topicTexts } from "./written-texts.ts";

interface TopicLink {
  to: string;
  note: string;
}

/** An inverted library heading (`Logic, Ancient`) whose qualifier narrows the term before it. */
const NARROWING = /^(?<term>.+), (?:Ancient|American|German|Greek)$/;
/** A library heading with a qualifier that is a subject itself: `Temperance (Virtue)`. */
const QUALIFIED = /, | \(|\)/;

/** The items of all topics, linked where the words of one heading name other topics whole. */
export function topicItems(
  topics: readonly CorpusTopic[],
  texts: ReturnType<typeof topicTexts>,
): object[] {
  const byTitle = new Map(topics.map((topic) => [topic.title.toLowerCase(), topic]));
  return topics.map((topic) => {
    const broader = linksTo([NARROWING.exec(topic.title)?.groups?.["term"] ?? ""], {
      byTitle,
      note: "inverted library heading (read by machine)",
    });
    const parts = linksTo(broader.length > 0 ? [] : partsOf(topic, byTitle), {
      byTitle,
      note: "named in the library heading (read by machine)",
    });
    const seeAlso = [...parts, ...chosenLinks(topic.id, texts)];
    const text = texts.get(topic.id);
    return {
      type: "topic",
      path: topicPath(topic.id),
      title: topic.title.charAt(0).toUpperCase() + topic.title.slice(1),
      ...(text === undefined ? {} : { summary: text.summary, body: text.text }),
      relations: {
        ...(broader.length > 0 ? { broader } : {}),
        ...(seeAlso.length > 0 ? { see_also: seeAlso } : {}),
      },
      status: "published",
      sourceKey: `topic:${topic.id}`,
    };
  });
}

/** A link that two topics choose is stated by the first of them only. */
function chosenLinks(id: string, texts: ReturnType<typeof topicTexts>): string[] {
  const chosen = texts.get(id)?.see_also ?? [];
  return chosen
    .filter((other) => id < other || texts.get(other)?.see_also.includes(id) !== true)
    .map(topicPath);
}

export function topicPath(id: string): string {
  return `/topics/${id}`;
}

/** The subjects a heading is made of; `A and B` counts only when both are topics of their own. */
function partsOf({ title }: CorpusTopic, byTitle: ReadonlyMap<string, CorpusTopic>): string[] {
  const joined = title.split(" and ");
  if (joined.length > 1) {
    return joined.every((part) => byTitle.has(part.toLowerCase())) ? joined : [];
  }
  const qualified = title.split(QUALIFIED);
  return qualified.length > 1 ? qualified : [];
}

function linksTo(
  names: readonly string[],
  { byTitle, note }: { byTitle: ReadonlyMap<string, CorpusTopic>; note: string },
): TopicLink[] {
  return names.flatMap((name) => {
    const topic = byTitle.get(name.toLowerCase());
    return topic === undefined ? [] : [{ to: topicPath(topic.id), note }];
  });
}
