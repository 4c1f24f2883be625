// The words by which statements about one matter are known, as data. Extend the tables; the code reads all rows alike.
import { once } from "../../once.ts";
import { keyOf } from "../normalise.ts";
import { synonymOf } from "./synonyms.ts";
import { OCCUPATION } from "../nouns.ts";

/**
 * Each row is a matter with one value at a time, and the words that speak of it: nouns, verbs and titles. A matter that
 * has several values at a time begins with a plus. A word may be in several rows; the first wins.
 */
const MATTERS = `
+liking: like love enjoy prefer adore fond
+studies: study studies studying student
+teaching: teach teacher teaching
home: home house flat apartment live living lives reside residence hometown settle dwell base locate located studio condo
employer: employer employ hire work join job gig
post: title role occupation profession career position post
manager: manager boss supervisor manage
salary: salary wage earn income pay-packet
budget: budget spending
price: price cost charge fee
rent: rent
deadline: deadline due
opening: open opening
wake: wake alarm
workstart: workstart
bedtime: bedtime
saving: saving save
workout: workout gym
phone: phone
email: email mail inbox
language: language answer reply
nickname: nickname call
commute: commute
car: car automobile
editor: editor
database: database db
server: server
host: host hosting
plan: plan tier subscription package tariff
seat: seat licence license
staff: employee staff headcount workforce personnel
memory: ram memory
birth: birth born
age: age old year-old birthday
weight: weight weigh kilo kg
height: height tall
department: department division
class: grade class year form
school: school college university kindergarten
remote: remote remotely onsite
leave: leave holiday vacation sabbatical
timezone: timezone utc gmt cet
headquarters: headquarters headquarter hq
supplier: supplier vendor supply
bank: bank
insurance: insurance insurer insure policy
doctor: doctor gp physician
dentist: dentist
payment: payment invoice bill billing
delivery: delivery deliver ship shipping shipment parcel package
meeting: meeting meet
workshop: workshop
backup: backup
contract: contract agreement
password: password
smoke: smoke smoker cigarette
internship: internship intern
deployment: deploy deployment release
training: train training trainer
website: website site homepage
exam: exam test examination
wedding: wedding marry
flight: flight fly flies flying flew plane
ticket: ticket case issue
lead: lead leader head
chief: ceo chief
surname: surname
note: note
`;

/** Words for people and animals: statements about different ones are about different matters. */
const PEOPLE =
  "mother father parent spouse wife husband partner girlfriend boyfriend fiance fiancee brother sister sibling son daughter child baby twin " +
  "friend colleague coworker neighbor uncle aunt cousin niece nephew grandmother grandfather grandparent grandson granddaughter grandma " +
  "grandpa stepmother stepfather stepson roommate flatmate housemate godson dog cat pet horse rabbit hamster puppy kitten parrot student " +
  "client customer competitor tenant guest boss manager assistant doctor dentist landlord teacher mentor";

/** Of these a person may have several, so that a further one replaces none. */
const SEVERAL =
  "brother sister sibling son daughter child twin friend colleague coworker neighbor uncle aunt cousin niece nephew grandmother " +
  "grandfather grandparent grandson granddaughter dog cat pet horse rabbit student client customer competitor hobby language allergy " +
  "allergic skill interest like love enjoy know";

/** Roles that one person holds. Who leaves the post holds it no more. */
const ROLES =
  "manager boss lead head ceo cto cfo coo director supervisor contact assistant accountant lawyer doctor dentist teacher tutor coach " +
  "trainer therapist landlord chair chairman president treasurer secretary mentor consultant rep representative agent owner admin " +
  "administrator captain editor principal nanny cleaner gardener vet physio chief customer client supplier vendor provider sponsor tenant";

/** States that exclude one another. The words of one state stand between commas. */
const STATES = `
open reopened reported pending processing outstanding waiting, closed resolved solved done fixed completed shipped approved paid delivered
jam jamming jams, smooth
on enabled active activated live, off disabled inactive deactivated
broken fails failing crashes crashing defective down, repaired fixed works working mended fine up
high raised elevated, low lowered, normal
empty, full
busy, free
pregnant expecting, delivered gave-birth
ill sick unwell, well healthy recovered better
insomnia sleepless, well
draft, published
pending, approved, rejected, paid, shipped, delivered
public, private
manual, automatic automated
unemployed jobless, employed
single, engaged, married, divorced, widowed
optional, mandatory required
`;

const listOf = (words: string): string[] => words.trim().split(/\s+/).map(keyOf).filter(Boolean);

const matters = once(() => {
  const found = new Map<string, string>();
  for (const row of MATTERS.trim().split("\n")) {
    const [name = "", words = ""] = row.split(": ");
    const matter = name.startsWith("+") ? name : `*${name}`;
    for (const word of listOf(words)) if (!found.has(word)) found.set(word, matter);
  }
  return found;
});
/** Words for one person, with the word that stands for all of them. */
const SAME_PERSON: Record<string, string> = {
  ...{
    grandpa: "grandfather",
    grandad: "grandfather",
    granddad: "grandfather",
    grandma: "grandmother",
    granny: "grandmother",
  },
  ...{
    landlady: "landlord",
    flatmate: "roommate",
    housemate: "roommate",
    auntie: "aunt",
    sis: "sister",
    bro: "brother",
  },
};
const persons = once(() => new Map(Object.entries(SAME_PERSON).map(([word, same]) => [keyOf(word), keyOf(same)])));
const people = once(() => new Set(listOf(PEOPLE)));
const several = once(() => new Set(listOf(SEVERAL)));
const roles = once(() => new Set(listOf(ROLES)));
const occupations = once(() => new Set(OCCUPATION.split("|").map(keyOf)));
const states = once(() => {
  const found = new Map<string, { group: number; state: number }[]>();
  for (const [group, row] of STATES.trim().split("\n").entries())
    for (const [state, words] of row.split(",").entries())
      for (const word of listOf(words)) found.set(word, [...(found.get(word) ?? []), { group, state }]);
  return found;
});

/** The matter of a word, as `*home`; the word itself when no row has it. */
export const matterOf = (key: string): string =>
  matters().get(key) ?? matters().get(synonymOf(key)) ?? synonymOf(personOf(key));
export const isMatter = (topic: string): boolean => /^[*+]/.test(topic);
/** The word for a person that stands for all of its synonyms. */
export const personOf = (key: string): string => persons().get(key) ?? key;
export const isPerson = (key: string): boolean => people().has(personOf(key));
export const isOneOfSeveral = (key: string): boolean => key.startsWith("+") || several().has(key);
export const isRole = (key: string): boolean => roles().has(key) || occupations().has(key);
export const isOccupation = (key: string): boolean => occupations().has(key);
/** The states that a word names, by the group whose states exclude one another. */
export const statesOf = (key: string): readonly { group: number; state: number }[] => states().get(key) ?? [];
