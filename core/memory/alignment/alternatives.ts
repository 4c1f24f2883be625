// Groups of words of which one holds at a time, as data: tea or coffee, window or aisle.
import { once } from "../../once.ts";
import { keyOf } from "../normalise.ts";
import { statesOf } from "./concepts.ts";

const ROWS = `
train bus bike bicycle cycle car tram metro subway foot walk scooter motorbike underground tube ferry carpool
vegan vegetarian pescatarian omnivore flexitarian
morning afternoon evening night noon lunchtime
early late night day
daily weekly monthly quarterly yearly annually hourly biweekly fortnightly
spring summer autumn winter
tea coffee espresso latte cappuccino
gas electric petrol diesel hybrid
single engaged married divorced widowed
monday tuesday wednesday thursday friday saturday sunday
full-time part-time freelance
cash card transfer paypal invoice debit cheque
email phone chat sms letter
cat dog
primary secondary kindergarten nursery university
small medium large
house apartment studio bungalow cottage condo houseboat caravan room
on-premise cloud self-hosted
trial paying
pdf spreadsheet excel csv docx powerpoint slides
slack teams zoom skype webex
bullets prose paragraphs table
economy business premium
manual automatic
window aisle middle
formal informal casual
metric imperial
british american
short long
minor major critical severe
rent rents renting bought owns
vegan omnivore meat
weekdays weekends
hot iced cold
wool cotton linen silk
beginner intermediate advanced
bronze silver gold platinum
free paid
public private
left right
north south east west
dog-friendly pet-free
mild moderate severe
remote remotely onsite on-site hybrid
junior senior
low medium high urgent critical
light dark
`;
const rows = once(() => {
  const found = new Map<string, string>();
  for (const [at, row] of ROWS.trim().split("\n").entries())
    for (const word of row.split(" ")) if (!found.has(keyOf(word))) found.set(keyOf(word), `kind ${at}`);
  return found;
});

/** The group of alternatives that a word is of; undefined for most words. */
export const kindOf = (key: string): string | undefined => rows().get(key);

/** All groups of a word, those of states included. */
export function alternativesOf(key: string): string[] {
  const kind = kindOf(key);
  const states = statesOf(key).map(({ group }) => `state ${group}`);
  return kind === undefined ? states : [kind, ...states];
}
