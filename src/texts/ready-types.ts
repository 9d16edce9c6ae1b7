import type { TypeTexts } from "./type-texts.ts";

/** The names of the ready-made types for events and news, by language. */
export const READY_TYPE_TEXTS: Readonly<
  Record<"event" | "news", { en: TypeTexts } & Readonly<Record<string, TypeTexts>>>
> = {
  event: {
    en: {
      label: "Event",
      plural: "Events",
      description: "Meetings, talks and courses to which the public is invited.",
      fields: {
        starts: { label: "Date" },
        ends: { label: "Last day", description: "Of an event of several days." },
        begins: { label: "Begins at", description: "A time as 19:30; left out: the whole day." },
        closes: { label: "Ends at" },
        place: { label: "Place" },
        online: { label: "Online at" },
      },
      relations: { topics: { label: "Topics", inverse: "Events" } },
    },
    de: {
      label: "Veranstaltung",
      plural: "Veranstaltungen",
      description: "Treffen, Vorträge und Kurse, zu denen alle eingeladen sind.",
      fields: {
        starts: { label: "Datum" },
        ends: { label: "Letzter Tag", description: "Einer Veranstaltung von mehreren Tagen." },
        begins: {
          label: "Beginn",
          description: "Eine Uhrzeit wie 19:30; ohne Angabe der ganze Tag.",
        },
        closes: { label: "Ende" },
        place: { label: "Ort" },
        online: { label: "Im Netz" },
      },
      relations: { topics: { label: "Themen", inverse: "Veranstaltungen" } },
    },
    fr: {
      label: "Événement",
      plural: "Événements",
      description: "Rencontres, conférences et cours ouverts à tous.",
      fields: {
        starts: { label: "Date" },
        ends: { label: "Dernier jour", description: "D’un événement de plusieurs jours." },
        begins: {
          label: "Début",
          description: "Une heure comme 19:30\u00a0; sans indication, toute la journée.",
        },
        closes: { label: "Fin" },
        place: { label: "Lieu" },
        online: { label: "En ligne" },
      },
      relations: { topics: { label: "Thèmes", inverse: "Événements" } },
    },
    es: {
      label: "Acto",
      plural: "Actos",
      description: "Encuentros, charlas y cursos abiertos al público.",
      fields: {
        starts: { label: "Fecha" },
        ends: { label: "Último día", description: "De un acto de varios días." },
        begins: {
          label: "Comienzo",
          description: "Una hora como 19:30; sin indicarla, todo el día.",
        },
        closes: { label: "Fin" },
        place: { label: "Lugar" },
        online: { label: "En línea" },
      },
      relations: { topics: { label: "Temas", inverse: "Actos" } },
    },
    ar: {
      label: "فعالية",
      plural: "الفعاليات",
      description: "لقاءات ومحاضرات ودورات مفتوحة للجميع.",
      fields: {
        starts: { label: "التاريخ" },
        ends: { label: "اليوم الأخير", description: "لفعالية تمتد أيامًا." },
        begins: { label: "تبدأ في", description: "وقت مثل 19:30؛ ومن دونه اليوم كله." },
        closes: { label: "تنتهي في" },
        place: { label: "المكان" },
        online: { label: "عبر الإنترنت" },
      },
      relations: { topics: { label: "الموضوعات", inverse: "الفعاليات" } },
    },
    he: {
      label: "אירוע",
      plural: "אירועים",
      description: "מפגשים, הרצאות וקורסים הפתוחים לכול.",
      fields: {
        starts: { label: "תאריך" },
        ends: { label: "היום האחרון", description: "של אירוע בן כמה ימים." },
        begins: { label: "שעת התחלה", description: "שעה כמו 19:30; בלעדיה, כל היום." },
        closes: { label: "שעת סיום" },
        place: { label: "מקום" },
        online: { label: "באינטרנט" },
      },
      relations: { topics: { label: "נושאים", inverse: "אירועים" } },
    },
    zh: {
      label: "活动",
      plural: "活动",
      description: "面向公众的聚会、讲座和课程。",
      fields: {
        starts: { label: "日期" },
        ends: { label: "最后一天", description: "用于持续数日的活动。" },
        begins: { label: "开始时间", description: "如 19:30；不填则为全天。" },
        closes: { label: "结束时间" },
        place: { label: "地点" },
        online: { label: "线上地址" },
      },
      relations: { topics: { label: "主题", inverse: "活动" } },
    },
  },
  news: {
    en: {
      label: "News item",
      plural: "News",
      description: "What is new at the association.",
      fields: { date: { label: "Date" } },
      relations: {
        topics: { label: "Topics", inverse: "News" },
        authors: { label: "Authors", inverse: "News" },
      },
    },
    de: {
      label: "Nachricht",
      plural: "Nachrichten",
      description: "Neues aus dem Verein.",
      fields: { date: { label: "Datum" } },
      relations: {
        topics: { label: "Themen", inverse: "Nachrichten" },
        authors: { label: "Von", inverse: "Nachrichten" },
      },
    },
    fr: {
      label: "Actualité",
      plural: "Actualités",
      description: "Les nouvelles de l’association.",
      fields: { date: { label: "Date" } },
      relations: {
        topics: { label: "Thèmes", inverse: "Actualités" },
        authors: { label: "Auteurs", inverse: "Actualités" },
      },
    },
    es: {
      label: "Noticia",
      plural: "Noticias",
      description: "Las novedades de la asociación.",
      fields: { date: { label: "Fecha" } },
      relations: {
        topics: { label: "Temas", inverse: "Noticias" },
        authors: { label: "Autores", inverse: "Noticias" },
      },
    },
    ar: {
      label: "خبر",
      plural: "الأخبار",
      description: "جديد الجمعية.",
      fields: { date: { label: "التاريخ" } },
      relations: {
        topics: { label: "الموضوعات", inverse: "الأخبار" },
        authors: { label: "المؤلفون", inverse: "الأخبار" },
      },
    },
    he: {
      label: "ידיעה",
      plural: "חדשות",
      description: "מה חדש בעמותה.",
      fields: { date: { label: "תאריך" } },
      relations: {
        topics: { label: "נושאים", inverse: "חדשות" },
        authors: { label: "מחברים", inverse: "חדשות" },
      },
    },
    zh: {
      label: "消息",
      plural: "消息",
      description: "协会的最新消息。",
      fields: { date: { label: "日期" } },
      relations: {
        topics: { label: "主题", inverse: "消息" },
        authors: { label: "作者", inverse: "消息" },
      },
    },
  },
};
