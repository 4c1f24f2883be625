// Words of one meaning, as data: the first of each row stands for all.
import { once } from "../../once.ts";
import { keyOf } from "../normalise.ts";

const ROWS = `
dog pooch hound pup puppy doggo
cat kitty kitten
buy purchase buys bought purchased
shop store boutique
movie film
sofa couch
football soccer
lawyer attorney solicitor
bike bicycle cycle
sick ill unwell
repair fix mend
help assist
support supporter fan
begin start commence
finish end complete conclude
shut close closes closed shuts
dinner supper
trousers pants
garden yard
trash rubbish garbage
lift elevator
photo photograph picture
customer client
employee worker staffer
error bug issue problem fault
crash break fail
login sign-in signin
reply answer response respond
quick fast rapid speedy
cheap inexpensive
expensive costly pricey
scared afraid frightened terrified scare
hate detest loathe dislike
holiday vacation
journey trip travel
sport sports exercise
guitar guitars
medicine medication drug tablet pill
meal dish food
drink beverage
sweets candy
biscuit cookie
chips fries
beef meat
car automobile vehicle
lorry truck
petrol gas gasoline
laptop notebook
tv television telly
colour color
autumn fall
mail post
parcel package
agreement contract
goal target aim objective
group team crew squad
owner proprietor
chief head boss
assistant aide
teacher instructor tutor
nurse carer
street road
town city
country nation
money cash
loan credit
tax taxes
sum amount
rise increase
decrease reduction
daughter girl
son boy
fiance fiancee
old elderly aged
young youthful
tired exhausted
happy glad pleased
angry furious
strong powerful
weak feeble
loud noisy
quiet silent
clean tidy
dirty messy
hobby pastime
favorite preferred
birth born
die dead death
marry married wedding
pregnant expecting
deaf hearing-impaired
left-handed lefty
vet veterinarian
gym fitness-studio
swim swimming
run running jog jogging
hike hiking
cook cooking
read reading
paint painting
knit knitting
climb climbing
dance dancing
sing singing
ski skiing
surf surfing
write writing
train training
order orders
deliver delivery
ship shipping
pay payment
host hosting
deploy deployment
store storage
back-up backup
upgrade update
setup install installation
screen monitor display
keyboard keypad
printer printers
server servers
bill invoice
supplier vendor
discount rebate
warehouse depot
branch subsidiary
headcount staff
accountant bookkeeper
janitor caretaker
intern trainee
pupil student
grade mark
lesson class
term semester
timetable schedule
`;
const rows = once(() => {
  const found = new Map<string, string>();
  for (const row of ROWS.trim().split("\n")) {
    const [first = "", ...others] = row.split(" ").map(keyOf);
    for (const word of others) if (word && !found.has(word)) found.set(word, first);
  }
  return found;
});

/** The word that stands for all of one meaning. */
export const synonymOf = (key: string): string => rows().get(key) ?? key;
