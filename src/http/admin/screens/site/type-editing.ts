import {
  changeDeclaredTypes,
  changeSettings,
  readDeclaredTypes,
  readSettings,
} from "../../../../content/site/settings.ts";
import { TYPES_WITH_LAYOUT } from "../../../../content/types/built-in.ts";
import { type ContentType, FIELD_KINDS } from "../../../../content/types/content-type.ts";
import {
  DEFAULT_LAYOUT,
  isLayout,
  LAYOUTS,
  type Layout,
} from "../../../../content/types/layouts.ts";
import {
  addFieldToType,
  changeLabelsAndLayout,
  createDeclaredType,
  isFieldKind,
  NEW_TYPE_KINDS,
} from "../../../../content/types/type-editing.ts";
import { readTypeOverviews, type TypeOverview } from "../../../../content/types/type-overview.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { HttpResponse } from "../../../exchange.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { redirectAfterSave, redirectResponse } from "../../page.ts";
import type { Texts } from "../../texts/english.ts";
import { formField } from "../frame/field.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import { optionElement } from "../frame/option.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";

const SCREEN_PATH = "/admin/types";
const NAME_CHARACTERS_MAX = 80;
const DESCRIPTION_CHARACTERS_MAX = 300;

/** Shows the names of a type and its fields, the layout of its pages, and forms that add fields. */
const show: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{name}`,
  scope: "settings:write",
  async answer(visit) {
    const { texts, parts, signedIn, pathParameter } = visit;
    const t = texts.types;
    const declared = await readDeclaredTypes(parts.stores.content, signedIn.actor);
    const name = pathParameter("name");
    if (isBuiltInType(name)) return await builtInResponse(visit, name);
    const type = typeNamed(declared, name);
    const overviews = await readTypeOverviews(parts.stores.content, signedIn.actor);
    const items = itemCount(overviews.find((each) => each.name === type.name));
    const path = `${SCREEN_PATH}/${type.name}`;
    const content = html`<p class="hint">${t.changeHint(items)}</p>
${actionForm(visit, path, { button: t.save, content: html`${namesHtml(t, type)}${layoutField(t, type)}${fieldLabelsHtml(t, type)}` })}<h2>${t.addField}</h2>
<p class="hint">${t.addFieldHint(items)}</p>
${actionForm(visit, `${path}/fields`, { button: t.addField, content: newFieldHtml(t) })}${items === 0 && actionForm(visit, `${path}/remove`, { button: t.remove, isQuiet: true })}<p><a href="${SCREEN_PATH}">${t.back}</a></p>\n`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: type.label, content });
  },
};

const add: Screen = {
  method: "POST",
  path: SCREEN_PATH,
  scope: "settings:write",
  async answer(visit, form) {
    const kind = NEW_TYPE_KINDS.find((each) => each === form.value("kind")) ?? "plain";
    const { language } = visit.parts.reading.site();
    let name = "";
    await changeTypes(visit, (types) => {
      const type = createDeclaredType(enteredNames(form), kind, { language, types });
      name = type.name;
      return [...types, type];
    });
    return redirectAfterSave(`${SCREEN_PATH}/${name}`);
  },
};

const revise: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{name}`,
  scope: "settings:write",
  async answer(visit, form) {
    const labelOf = (field: string) => form.value(`field.${field}`).trim();
    const layout = form.value("layout");
    const name = visit.pathParameter("name");
    if (isBuiltInType(name)) {
      if (isLayout(layout)) await arrangeBuiltIn(visit, name, layout);
      return redirectAfterSave(`${SCREEN_PATH}/${name}`);
    }
    const revision = { ...enteredNames(form), ...(isLayout(layout) ? { layout } : {}) };
    await changeType(visit, (type) => changeLabelsAndLayout(type, revision, labelOf));
    return redirectAfterSave(`${SCREEN_PATH}/${name}`);
  },
};

const addField: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{name}/fields`,
  scope: "settings:write",
  async answer(visit, form) {
    const kind = form.value("kind");
    const lines = form.value("values").split("\n");
    const field = {
      label: form.value("label").trim(),
      kind: isFieldKind(kind) ? kind : "text",
      values: lines.map((line) => line.trim()).filter((line) => line !== ""),
    } as const;
    await changeType(visit, (type) => addFieldToType(type, field));
    return redirectAfterSave(`${SCREEN_PATH}/${visit.pathParameter("name")}`);
  },
};

/** Removes a type. This is refused while the type has items. */
const remove: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{name}/remove`,
  scope: "settings:write",
  async answer(visit) {
    await changeTypes(visit, (types) => {
      const { name } = typeNamed(types, visit.pathParameter("name"));
      return types.filter((type) => type.name !== name);
    });
    return redirectResponse(SCREEN_PATH);
  },
};

export const typeEditingScreens: readonly Screen[] = [show, add, revise, addField, remove];

/** The form that declares a type. */
export function newTypeForm(visit: ScreenVisit): SafeHtml {
  const t = visit.texts.types;
  const kinds = NEW_TYPE_KINDS.map((kind) => optionElement(kind, t.newKinds[kind], false));
  const names = { label: "", plural: "", description: "" };
  const content = html`<p class="hint">${t.addHint}</p>${namesHtml(t, names)}${kindField(t.newKind, kinds)}`;
  return html`<h2 id="new">${t.add}</h2>\n${actionForm(visit, SCREEN_PATH, { button: t.add, content })}`;
}

/** Whether a type is built in. The site can change only the layout of a built-in type's pages. */
export function isBuiltInType(name: string): boolean {
  return TYPES_WITH_LAYOUT.some((type) => type.name === name);
}

async function builtInResponse(visit: ScreenVisit, name: string): Promise<HttpResponse> {
  const { texts, parts, signedIn } = visit;
  const t = texts.types;
  const type = (await readTypesWithScreenLabels(visit)).get(name);
  const { profile } = await readSettings(parts.stores.content, signedIn.actor);
  const layout = profile.layouts?.[name] ?? DEFAULT_LAYOUT;
  const form = { button: t.save, content: layoutField(t, { layout }) };
  const content = html`<p class="hint">${t.builtInHint}</p>
${actionForm(visit, `${SCREEN_PATH}/${name}`, form)}<p><a href="${SCREEN_PATH}">${t.back}</a></p>
`;
  return screenResponse({ ...visit, url: SCREEN_PATH }, { title: type?.label ?? name, content });
}

async function arrangeBuiltIn(visit: ScreenVisit, name: string, layout: Layout): Promise<void> {
  const { parts, signedIn, now, requestId } = visit;
  const layouts = { [name]: layout === DEFAULT_LAYOUT ? null : layout };
  await parts.atomically(({ content }) =>
    changeSettings(content, signedIn.actor, { layouts }, { now, requestId }),
  );
}

async function changeType(visit: ScreenVisit, changed: (type: ContentType) => ContentType) {
  await changeTypes(visit, (types) => {
    const { name } = typeNamed(types, visit.pathParameter("name"));
    return types.map((type) => (type.name === name ? changed(type) : type));
  });
}

async function changeTypes(
  { parts, signedIn, now, requestId }: ScreenVisit,
  changed: (types: readonly ContentType[]) => readonly ContentType[],
): Promise<void> {
  await parts.atomically(async ({ content }) => {
    const types = changed(await readDeclaredTypes(content, signedIn.actor));
    await changeDeclaredTypes(content, signedIn.actor, types, { now, requestId });
  });
}

function typeNamed(types: readonly ContentType[], name: string): ContentType {
  const type = types.find((each) => each.name === name);
  if (type !== undefined) return type;
  throw new AppError("not_found", {
    en: "There is no content type of this name that can be changed",
    de: "Einen Inhaltstyp mit diesem Namen, der sich ändern lässt, gibt es nicht",
  });
}

function itemCount(type: TypeOverview | undefined): number {
  return Object.values(type?.counts ?? {}).reduce((sum, count) => sum + count, 0);
}

function enteredNames(form: SentForm) {
  return {
    label: form.value("label").trim(),
    plural: form.value("plural").trim(),
    description: form.value("description").trim(),
  };
}

function namesHtml(
  t: Texts["types"],
  { label, plural, description }: Pick<ContentType, "label" | "plural" | "description">,
): SafeHtml {
  const descriptionInput = html`<input id="description" name="description" value="${description}" maxlength="${DESCRIPTION_CHARACTERS_MAX}">`;
  return html`${textField("label", t.singular, { value: label })}${textField("plural", t.plural, { value: plural })}${formField("description", t.description, descriptionInput, t.descriptionHint)}`;
}

function layoutField(
  t: Texts["types"],
  { layout = DEFAULT_LAYOUT }: Pick<ContentType, "layout">,
): SafeHtml {
  const layouts = LAYOUTS.map((each) => optionElement(each, t.layouts[each], each === layout));
  const select = html`<select id="layout" name="layout">${layouts}</select>`;
  return formField("layout", t.layout, select, t.layoutHint);
}

function fieldLabelsHtml(t: Texts["types"], { fields }: ContentType): SafeHtml | false {
  const all = Object.entries(fields);
  return (
    all.length > 0 &&
    html`<h2>${t.fields}</h2>\n${all.map(([name, { label, kind }]) => textField(`field.${name}`, `${label} (${t.kinds[kind]})`, { value: label }))}`
  );
}

function newFieldHtml(t: Texts["types"]): SafeHtml {
  const kinds = FIELD_KINDS.map((kind) => optionElement(kind, t.kinds[kind], false));
  const values = html`<textarea id="values" name="values" rows="4"></textarea>`;
  return html`${textField("label", t.fieldLabel, { value: "", id: "new-label" })}${kindField(t.fieldKind, kinds)}${formField("values", t.values, values, t.valuesHint)}`;
}

function kindField(label: string, kinds: readonly SafeHtml[]): SafeHtml {
  return formField("kind", label, html`<select id="kind" name="kind">${kinds}</select>`);
}

function textField(
  name: string,
  label: string,
  { value, id = name }: { value: string; id?: string },
): SafeHtml {
  const input = html`<input id="${id}" name="${name}" value="${value}" required maxlength="${NAME_CHARACTERS_MAX}">`;
  return formField(id, label, input);
}
