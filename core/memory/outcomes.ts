// Plans, roles and journeys: how they are stated, and how they end.
import { ROLE } from "./nouns.ts";
import { keyOf } from "./normalise.ts";
import { action, headOf, type Reader, type Reading, toMany, toOne } from "./readings.ts";
import { stem } from "../embedding/stem.ts";

const IS_ROLE = new RegExp(`^${ROLE}$`, "i");
const LANGUAGE =
  "(?:\\p{Lu}\\p{Ll}+(?:ish|ese|[ie]an|ic|ch)|Dutch|French|Greek|Thai|Hindi|Urdu|Farsi|Hebrew|Czech|Welsh|Tamil|Bengali|Punjabi|Swahili|Latin|Mandarin|Cantonese)";

const negated = (reading: Reading): Reading => ({ ...reading, negated: true });

const toOneOf = (subject: string, unit: string, value: string): Reading => ({
  ...toOne("be", value),
  subject: `${subject}/${keyOf(unit)}`,
});

/** These readers run first. Earlier versions read the same sentences with the other readers. */
export const OUTCOMES: [RegExp, Reader][] = [
  [
    /^(?:(?:was|were|got|has|have|been) )*(?:promoted|demoted|appointed)(?: from .+?)? (?:to|as) (?:an? |the )?(?:position of |role of |post of )?(.+)$/i,
    ([, job]) => ({ ...toOne("job", headOf(job!)), isUpdate: true }),
  ],
  [
    /^(?:(?:was|were|got|has|have|been) )*(?:transferred|moved|switched|reassigned)(?: from .+?)? to the (.+) (team|department|division|unit)$/i,
    ([, team, unit], { subject }) => ({
      ...toOne("be", team!),
      subject: `${subject}/${keyOf(unit!)}`,
      isUpdate: true,
    }),
  ],
  [
    /^(?:works|work|is|are) (?:now )?(?:in|for) (?:the )?([\p{L} &]+) (team|department|division)$/iu,
    ([, team, unit], { subject }) => toOneOf(subject, unit!, team!),
  ],
  [
    /^(?:(?:was|were|got|has|have|been) )*(?:laid off|fired|let go|dismissed|made redundant)(?: (?:at|by|from) (.+))?$/i,
    ([, firm]) =>
      firm === undefined
        ? toOne("be employ", "unemployed")
        : /^\p{Lu}/u.test(firm)
          ? negated(toOne("work at", headOf(firm)))
          : null,
  ],
  [/^(?:has |have )?lost (?:their|his|her|the) job$/i, () => toOne("be employ", "unemployed")],
  [/^(?:has |have |is |are )?(?:now )?retired(?: from (?:work|their job))?$/i, () => toOne("be employ", "retired")],
  [
    /^(?:has |have )?(?:stepped down|resigned|retired|quit) as (?:an? |the )?(.+)$/i,
    ([, role], { subject }) => ({
      ...negated(IS_ROLE.test(role!) ? toMany("job", role!) : toMany("be", role!)),
      ...(subject !== "user" && {
        ends: { subject: `user/${keyOf(role!.replace(/^the user's /i, ""))}`, relation: "name", value: subject },
      }),
    }),
  ],
  [
    new RegExp(`^(?:has |have )?(?:learned|learnt|mastered) (${LANGUAGE})$`, "u"),
    ([, language]) => ({ ...toMany("do speak", language!), isUpdate: true }),
  ],
  [
    /^(?:is |are )?(?:plans?|planning|wants?|intends?|intending|hoping) to (\w+) (.+)$/i,
    ([, verb, object], said) => (said.negated ? { relation: "plan", value: planKey(verb!, object!) } : null),
  ],
  [
    /^(?:has |have )?(?:traded in|gave|given|passed on|handed down|lost|sold) (?:their|the|his|her) (.+?) (?:for|to) (.+)$/i,
    ([, thing]) => negated(toMany("have", thing!)),
  ],
  [/^(?:goes|go|went) ((?!to\b)\w{2,}ing)$/i, ([, doing]) => action(doing!, "")],
  [
    /^(?:has |have )?(?:moved|relocated|transferred) (?:its|their|the|his|her) (office|offices|headquarters|hq|shop|store|warehouse|studio|workshop|practice)(?: from .+?)? to (?=\p{Lu})(.+)$/iu,
    ([, noun, place], { subject }) => ({
      ...toOne("be in", headOf(place!)),
      subject: `${isOurs(subject) ? "user" : subject}/${keyOf(noun!)}`,
      isUpdate: true,
    }),
  ],
  [
    /^(?:has |have )?(?:grown|grew|expanded|shrunk|shrank|are up|is up|are down|is down) (?:from .+? )?to (\d+) (.+)$/i,
    ([, count, noun]) => ({ ...toOne(`count ${keyOf(noun!)}`, count!), isUpdate: true }),
  ],
  [
    /^(?:(?:has|have|was|were|is|are|got) (?:been )?)?(?:cancelled|canceled|called off|off|not happening)$/i,
    (_, { subject }) => {
      const [, owner, thing] = /^(.+)\/([^/]+)$/.exec(subject) ?? [];
      return thing !== undefined && TRIP.test(thing)
        ? negated({ subject: owner!, relation: "have", value: thing })
        : null;
    },
  ],
];

/** Groups that the user belongs to and calls "we". */
const OURS = ["compani", "team", "firm", "startup", "busi", "agenc", "organ", "depart"];
export const isOurs = (subject: string): boolean => OURS.some(one => subject === `user/${one}`);
/** The groups that "we" may mean in a fact that cannot be about one person. */
export const oursOf = (subject: string, relation: string, update: boolean): string[] => {
  if (
    !update ||
    !/^(?:count (?:\S+ )?(?:employe|staff|people|peopl|develop|engin|design|member|custom|client|offic|store|shop|branch|user)$|do (?:us|run|deploi|pai|ship|offer|sell)\b)/.test(
      relation,
    )
  )
    return [];
  return subject === "user" ? OURS.map(one => `user/${one}`) : isOurs(subject) ? ["user"] : [];
};

const TRIP =
  /^(?:trip|flight|journei|holidai|vacat|visit|travel|tour|excurs|weekend|citi break|honeymoon)(?: trip)? (?:to|in) (.+)$/;
/** Ways to say that a person travels. */
export const JOURNEYS = ["do go", "do fly", "do travel", "do visit", "do drive", "do head"];
/** The destination of a journey that is cancelled or moved; undefined for other values. */
export const destinationOf = (value: string): string | undefined => TRIP.exec(value)?.[1];

const WORKED_FOR = ["prepar", "studi", "train", "write", "do", "work", "read", "revis", "build", "retak", "practis"];
const SOUGHT = ["look", "search", "hunt", "save"];
const doing = (roots: readonly string[]) => roots.map(root => `do ${root}`);
/** The relations of the work towards this result: "studies for" before "passed". */
export const pursuitsOf = (relation: string): string[] =>
  /^do (?:pass|finish|complet|submit|defend)$/.test(relation)
    ? doing(WORKED_FOR)
    : /^do (?:found|find|got|get|bought|bui|rent)$/.test(relation)
      ? doing(SOUGHT)
      : [];

const AIM = /^(?:up )?(?:for|on|to|toward) /;
const TEST = / (?:exam|test|examin)$/;
const aimOf = (value: string) => value.replace(AIM, "").replace(TEST, "");
const headOfAim = (value: string) => value.replace(/ (?:in|at|near|from) .*$/, "");
/** Whether `value` is the aim of the pursuit. */
export const isAimOf = (value: string, pursued: string): boolean =>
  value !== "" && aimOf(headOfAim(value)) === aimOf(pursued) && (AIM.test(pursued) || value === pursued);

const BASES: Record<string, string> = {
  ...{ ran: "run", bought: "bui", went: "go", met: "meet", saw: "see", wrote: "write", read: "read", built: "build" },
  ...{
    began: "begin",
    got: "get",
    found: "find",
    sold: "sell",
    took: "take",
    learnt: "learn",
    flew: "fly",
    won: "win",
  },
  ...{ made: "make", left: "leav", quit: "quit", gave: "give", grew: "grow", drove: "drive", swam: "swim" },
};
/** A plan's value of a verb and its object. */
export const planKey = (verb: string, object: string): string => `${stem(verb.toLowerCase())} ${keyOf(object)}`.trim();
/** The value of the plan that this deed completes; null if the statement is not a deed. */
export function completedPlan(relation: string, value: string): string | null {
  const [, verb] = /^do (\S+)$/.exec(relation) ?? [];
  return verb === undefined || value === "" ? null : `${BASES[verb] ?? verb} ${value}`;
}

const INTENDS =
  /^(?:wants? to|hopes? to|plans? (?:to|on)|intends? to|is planning (?:to|on)|is hoping to|would like to|'d like to|aims? to) (?:go and )?(\w+) (.+)$/i;
/** Reads a statement of a plan: "plans to move". */
export function plan(predicate: string): Reading | null {
  const [, verb, object] = INTENDS.exec(predicate) ?? [];
  if (verb === undefined || object === undefined || /^(?:know|be|ask|see|live|work|have)$/i.test(verb)) return null;
  return { relation: "plan", value: planKey(verb.replace(/^(\w{2,})ing$/, "$1"), object) };
}

/** Groups of alternatives: switching to one replaces another of its group. */
const KINDS = [
  "window linux maco mac ubuntu fedora debian",
  "vim neovim emac helix vscode nano",
  "chrome firefox safari edg brave opera",
  "slack teams team discord mattermost zulip",
  "github gitlab bitbucket",
  "aw azur gcp",
  "iphon android",
  "gmail outlook protonmail",
  "jira linear trello asana",
  "netflix hulu",
  "coffe tea",
  "bu train tram bike car metro subwai",
].map(words => new Set(words.split(" ")));
const INSTITUTION = /(?:^| )(school|univers|colleg|gym|bank|plan|kindergarten|clinic|shift|pharmaci|church|team)$/;
export const SWITCHED = [
  "do goe",
  "do go",
  "do attend",
  "do us",
  "do run",
  "do studi",
  "do work",
  "do drink",
  "do take",
];
/** Whether one of two values can replace the other. */
export function isOfKind(a: string, b: string): boolean {
  const [x, y] = [a, b].map(one => one.replace(/^(?:to|at|on|by) /, ""));
  if (x === y) return false;
  const noun = INSTITUTION.exec(x!)?.[1];
  if (noun !== undefined) return noun === INSTITUTION.exec(y!)?.[1];
  return KINDS.some(kind => kind.has(x!) && kind.has(y!));
}
