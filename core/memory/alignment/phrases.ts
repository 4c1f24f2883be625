// Phrases of several words that stand for one, as data: the matter of a statement is then known by a single word.

import { anyOf } from "./any-of.ts";

const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bis open from\b/gi, "opens at"],
  [/\btime zone\b/gi, "timezone"],
  [/(?<=\p{Lu}[\p{L}]* )(?:standard |daylight |summer )?time(?= now|$)/gu, "timezone"],
  [/\b(?:gets?|got|getting|is) up (?=at|around|about|before|by|\d)/gi, "wakes "],
  [/\b(?:wakes?|waking) up\b/gi, "wakes"],
  [/\bsleeps? (?:in )?(?=until|till)/gi, "wakes "],
  [/\b(?:starts?|begins?|started) (?:work|working)(?= at)/gi, "workstart is"],
  [/\b(?:work|shift|working day|workday) (?:starts|begins|started)(?= at)/gi, "workstart is"],
  [/\b(?:drives?|driving|takes the car|goes by car) to (?:work|the office)\b/gi, "commutes by car"],
  [/\b(?:cycles?|cycling|bikes?|rides (?:their|a) bike) to (?:work|the office)\b/gi, "commutes by bike"],
  [/\b(?:walks?|walking) to (?:work|the office)\b/gi, "commutes by foot"],
  [/\b(?:gets?|goes|travels?|comes?) (?:in )?to (?:work|the office) (?=by|on)/gi, "commutes "],
  [/\btakes the (train|bus|tram|metro|subway|car|bike|tube|ferry) to (?:work|the office)\b/gi, "commutes by $1"],
  [/\b(?:is|are) (?:currently )?staying in\b/gi, "lives in"],
  [/\b(?:has|have|has got|got|found) (?:their|his|her|an?) own (?:place|flat|apartment|house|home)\b/gi, "lives"],
  [/\bbought (?:their|his|her|an?) own (?:place|flat|apartment|house|home)\b/gi, "bought a home"],
  [/\bplace (?=in \p{Lu})/gu, "home "],
  [/\b(?:goes|go|going|went|is sent) to (?:bed|sleep)(?= at| by| around| about|$)/gi, "bedtime is"],
  [/\b(?:stays?|staying|stay) up (?=until|till)/gi, "bedtime is "],
  [/\bworks? out\b/gi, "workout"],
  [/\bworks? as (?=an? |the )/gi, "is "],
  [
    /\b(?:upgraded|downgraded|moved up|moved down) to (?:the )?(?=\p{Lu}\p{L}+(?: plan| tier| package)?(?: yesterday| today| last \p{L}+| now)?$)/gu,
    "upgraded the plan to ",
  ],
  [/\b(?:came|went|gone|has come) through\b/gi, "is completed"],
  [/\bpoint of contact\b/gi, "contact"],
  [/\bworks? from home\b/gi, "works remotely"],
  [/\bworks? (?:from|in|at) the office\b/gi, "works onsite"],
  [/\b(?:year of birth|birth year)\b/gi, "birth"],
  [/\b(?:rides?|riding) (?:an?|the|their|his|her) (\w+) to (?:work|the office)\b/gi, "commutes by $1"],
  [/(?<=\b(?:works?|open|opens|is|are|runs?|lasts?) )from (?=\d)/gi, ""],
  [/\b(?:makes|is making|making|is earning|earning) (?=[$€£]\d|\d+ (?:euros?|dollars?|pounds?))/gi, "earns "],
  [/\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve)-(?=\p{Ll})/gu, "$1 "],
  [/\bpart[- ]time\b/gi, "part-time"],
  [/\bfull[- ]time\b/gi, "full-time"],
  [/\bpays? (?=within|in \d)/gi, "payment "],
  [/\bpayment terms?\b/gi, "payment"],
  [/\bopening hours\b/gi, "opening"],
  [/\bis open(?= \d)/gi, "opening is"],
  [/\bmother tongue\b/gi, "native language"],
  [/\bhead office\b/gi, "headquarters"],
  [/\bearns? (?:their|his|her|a) living as\b/gi, "is"],
  [/\bin charge of\b/gi, "lead of"],
  [/\btakes? care of\b|\blooks? after\b|\bis responsible for\b/gi, "handles"],
  [/\b(?:phone|mobile|cell|telephone) number\b/gi, "phone"],
  [/\b(?:reports? to|works? under)\b/gi, "manager is"],
  [/\b(?:e-?mail|mail) address\b/gi, "email"],
];

/** Most statements have none of them, which one search tells. */
const ANY = anyOf(PHRASES.map(([phrase]) => phrase));

/** A statement with each known phrase as its one word. */
export const inOneWord = (text: string): string =>
  ANY().test(text) ? PHRASES.reduce((found, [phrase, word]) => found.replace(phrase, word), text) : text;
