import type { TypeTexts } from "../type-texts.ts";

const TOPICS = "Temas";
const QUOTATIONS = "Citas";
const AUTHORS = "Autores";
const WORKS = "Obras";

export const SPANISH_TYPES: Readonly<Record<string, TypeTexts>> = {
  page: {
    label: "Página",
    plural: "Páginas",
    description: "Las páginas de la asociación: quién es, cómo contactarla, qué guarda.",
    fields: { navigation: { label: "Posición en la navegación" } },
    relations: {
      topics: { label: TOPICS, inverse: "Páginas" },
      authors: { label: AUTHORS, inverse: "Páginas" },
    },
  },
  topic: {
    label: "Tema",
    plural: TOPICS,
    description: "Los asuntos bajo los que se reúnen citas y obras.",
    fields: { aliases: { label: "También llamado" } },
    relations: {
      broader: { label: "Temas más amplios", inverse: "Temas más concretos" },
      see_also: { label: "Véase también" },
    },
  },
  author: {
    label: "Autor",
    plural: AUTHORS,
    description: "Personas y grupos a quienes se atribuyen obras o citas.",
    fields: {
      sort_name: { label: "Ordenado por" },
      born: { label: "Nacimiento" },
      died: { label: "Muerte" },
      aliases: { label: "También conocido como" },
      portrait: { label: "Retrato" },
      portrait_credit: { label: "Crédito del retrato" },
      same_as: { label: "Registros de autoridad" },
    },
  },
  work: {
    label: "Obra",
    plural: WORKS,
    description: "Libros, ensayos, discursos y otras obras de las que proceden las citas.",
    fields: {
      kind: {
        label: "Género",
        values: {
          book: "libro",
          essay: "ensayo",
          speech: "discurso",
          letter: "carta",
          article: "artículo",
          poem: "poema",
          scripture: "texto sagrado",
          other: "otro",
        },
      },
      year: { label: "Año", description: "Año de la primera publicación." },
      original_language: { label: "Lengua original" },
      publisher: { label: "Editorial" },
      isbn: { label: "ISBN" },
      source_url: { label: "Fuente" },
      licence: { label: "Licencia" },
    },
    relations: {
      authors: { label: AUTHORS, inverse: WORKS },
      part_of: { label: "Parte de", inverse: "Partes" },
      topics: { label: TOPICS, inverse: WORKS },
    },
  },
  quotation: {
    label: "Cita",
    plural: QUOTATIONS,
    description: "Pasajes en las palabras de su autor, con el lugar del que proceden.",
    fields: {
      locator: { label: "Pasaje" },
      position: {
        label: "Posición",
        description: "Número del pasaje en la obra. Si se indica, decide el orden en la obra.",
      },
      year: { label: "Año" },
      verification: {
        label: "Verificación",
        values: {
          verified: "verificada",
          attributed: "atribuida",
          disputed: "discutida",
          misattributed: "atribuida por error",
        },
      },
      featured: { label: "Selección de la redacción" },
      original_text: { label: "Texto original" },
      translator: { label: "Traducción" },
    },
    relations: {
      authors: { label: AUTHORS, inverse: QUOTATIONS },
      work: { label: "Obra", inverse: QUOTATIONS },
      topics: { label: TOPICS, inverse: QUOTATIONS },
    },
  },
};
