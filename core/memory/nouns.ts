// English nouns that decide how a statement about them is read. The patterns match keys (normalise.ts).

export const OCCUPATION =
  "engineer|developer|programmer|designer|architect|teacher|professor|lecturer|tutor|nurse|doctor|surgeon|dentist|paramedic|pharmacist|therapist|psychologist|lawyer|attorney|judge|accountant|auditor|analyst|consultant|manager|director|officer|ceo|cto|cfo|coo|founder|entrepreneur|freelancer|carpenter|plumber|electrician|mechanic|chef|cook|baker|waiter|waitress|barista|bartender|writer|author|journalist|editor|translator|photographer|artist|musician|actor|actress|pilot|driver|farmer|gardener|scientist|researcher|physicist|chemist|biologist|librarian|secretary|assistant|receptionist|salesman|saleswoman|salesperson|marketer|recruiter|student|intern|soldier|policeman|firefighter|watchmaker|tailor|hairdresser|barber|cashier|clerk|lead|vet|veterinarian|midwife|coach|trainer|administrator|banker|broker|economist|statistician|paralegal|curator|technician|courier|sailor|butcher|florist|jeweller|goldsmith|blacksmith|bricklayer|builder|roofer|decorator|joiner|welder|machinist|optician|optometrist|physiotherapist|nutritionist|dietitian|radiologist|cardiologist|anaesthetist|gynaecologist|paediatrician|pediatrician|psychiatrist|geologist|geographer|mathematician|sociologist|anthropologist|astronomer|zoologist|botanist|ecologist|meteorologist|linguist|interpreter|copywriter|reporter|presenter|producer|filmmaker|animator|illustrator|sculptor|conductor|choreographer|tester|sysadmin|surveyor|inspector|estimator|merchandiser|wholesaler|retailer|shopkeeper|grocer|greengrocer|fishmonger|fisherman|forester|ranger|winemaker|brewer|distiller|roaster|caterer|sommelier|concierge|housekeeper|cleaner|caretaker|janitor|porter|bouncer|detective|sheriff|coroner|prosecutor|solicitor|barrister|notary|diplomat|ambassador|politician|civil servant|social worker|caseworker|counsellor|counselor|carer|caregiver|nanny|childminder|au pair|babysitter|headmaster|headteacher|headmistress|dean|dispatcher|controller|steward|stewardess|flight attendant|postman|mail carrier|stonemason|mason|upholsterer|seamstress|dressmaker|stylist|beautician|masseur|masseuse|tattooist|underwriter|actuary|bookkeeper|fundraiser|lobbyist|archivist|genealogist";
export const ROLE = `(?:\\w+[ -]){0,4}?(?:${OCCUPATION})`;
export const DIET = "vegan|vegetarian|pescatarian|omnivore|flexitarian|pescetarian";
export const MARITAL = "single|engaged|married|divorced|widowed|separated";
/** Nouns that have one value at a time. */
export const ATTRIBUTE =
  /(?:^|\/| )(?:name|nickname|email|phone|number|address|birthdai|birthday|ag|job|titl|role|manag|team|timezon|languag|favorit .+|height|weight|size|salari|budget|deadlin|usernam|handl|plan|version|statu|spous|partner|mother|father|girlfriend|boyfriend|landlord|doctor|dentist|insur|rent|price|cost|databas|languag|provid|password|colleg|capac|limit|target|anniversari|major|employ|citi|hometown|nation|citizenship|blood type|star sign|accountant|lawyer|therapist|commut|prioriti|sever|environ|region|school|stage|blood pressur|temperatur)$/;
export const ROLES =
  /\/(?:\S+ )*(?:manag|spous|mother|father|partner|doctor|dentist|girlfriend|boyfriend|landlord|therapist|accountant|lawyer)$/;
/** A person may have several of these, so another name means another one. */
export const SEVERAL =
  /\/(?:brother|sister|son|daughter|friend|cousin|colleagu|cat|dog|pet|child|neighbor|uncl|aunt|hors|sibl)$/;
/** These recur: the next statement may be about another one. */
export const REPEATED = /\/(?:\S+ )*(?:flight|trip|appoint|train|exam|class|lesson|shift|call|interview|visit)$/;
/** "I'm German" states no name. */
export const NO_NAME = /(?:ish|ese|[ie]an|ican|ch|ic|man|ist|im|jewish|tired|home|free|busy)$/i;
