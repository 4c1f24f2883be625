// How much each signal (signals.ts) counts for a change and for a repetition, as data. Fitted to the fixtures by
// bench/quality/fit-evidence.ts.
export const WEIGHTS = `
bias -0.46 0.20 | names -0.30 0.41 | named -0.07 0.23 | of before -0.17 0.16 | of before squared -0.22 0.20
of now -0.08 0.12 | of now squared -0.10 0.12 | of both -0.19 0.11 | left -0.13 -0.21 | left 2 0.10 -0.11
left names 0.11 -0.70 | missing 0.04 -0.23 | missing names -0.14 -0.47 | first of before -0.13 -0.02
first of now 0.24 -0.08 | swap -0.08 -0.12 | swap names 0.46 -0.74 | own -0.04 -0.09 | other names -0.57 -0.44
now change 0.24 -0.38 | other name 0.07 -0.90 | change 0.25 -0.27 | change link1 -0.20 -0.16 | change named 0.69 -0.34
change own 0.49 -0.12 | change of before 0.23 -0.15 | change left 0.05 -0.46 | change after it 0.18 -0.04
long now -0.05 0.08 | long before -0.01 0.17 | now says has 0.29 -0.28 | before says lives -0.38 -0.00
left 0 -0.53 0.45 | own user -0.13 0.11 | now denied -0.15 0.27 | denial 0.56 -0.51 | denial of now 0.71 -0.72
denial of before 0.54 -0.68 | end 0.22 -0.41 | end link1 -0.05 -0.52 | end named 0.67 -0.71 | end own 0.59 -0.17
end of before -0.14 -0.22 | end before it 0.12 -0.16 | deny -0.12 0.35 | deny link1 -0.46 0.42 | deny named 0.54 -0.60
deny own -0.18 0.00 | deny of before -0.11 -0.05 | deny soon before it 0.21 -0.20 | now says user 0.11 0.03
now says is -0.18 0.11 | now says no 0.12 -0.19 | now says longer 0.83 -0.99 | now says in -0.20 -0.03
before says user 0.04 0.14 | before says is 0.16 -0.06 | nouns -0.25 0.31 | link2 0.03 0.29 | left 1 0.32 0.01
swap one 0.27 -0.03 | same person 0.06 0.39 | new side -0.56 -0.28 | now past 0.48 -0.60 | now moved 0.15 -0.50
past after present 0.56 -0.83 | end link2 0.41 -0.13 | end left 0.23 -0.06 | end after it 0.32 -0.51
before achieved 0.43 0.17 | now says left -0.69 0.10 | one topic 0.15 0.00 | one topic change 0.67 -0.51
rule change 1.50 -0.71 | change link2 0.74 -0.36 | achieved 0.06 -0.16 | achieved own 0.25 -0.30
achieved of before 0.04 0.08 | achieved left 0.15 -0.18 | achieved after it 0.58 -0.84 | ended 0.27 -0.56
now says quit -0.09 0.11 | before says a 0.04 -0.16 | before says at 0.19 -0.15 | before says works -0.62 -0.09
before says for 0.21 -0.23 | achieved link1 0.12 -0.36 | link3 0.03 0.44 | of other -0.45 0.19 | former -0.19 -0.08
away 0.28 -0.26 | away link2 0.47 -0.04 | away named 0.01 0.16 | away of before 0.01 -0.28 | away left -0.06 0.17
away before it 0.17 -0.23 | change before it 0.73 -0.35 | now says over 0.78 -0.82 | now says from -0.13 0.01
now says as 0.43 -0.59 | left nouns -0.20 -0.14 | new number 0.16 -0.82 | other number -0.25 -0.21
other number own -0.16 -0.41 | lost number 0.38 -0.20 | before counts 0.14 0.11 | one topic number 0.17 -0.32
other value -0.21 -0.29 | other value of before 0.40 -0.19 | change soon before it 0.37 -0.49
before says has -0.25 0.35 | deny link2 0.29 -0.11 | deny before it 0.04 -0.12 | now says works -0.42 -0.22
now says on 0.14 -0.06 | before says on -0.04 0.13 | now 0.40 -0.42 | now link1 0.25 -0.59 | now own 0.54 -0.74
now of before 0.40 -0.25 | now left 0.04 0.10 | now soon after it 0.30 -0.52 | now says now 0.03 -0.36
ordered -0.83 0.61 | other kind -0.05 -0.87 | other kind of before 0.27 -0.42 | now says prefers 0.23 -0.81
before says prefers 0.45 -0.17 | deny left -0.17 0.31 | deny soon after it -0.01 0.20 | now says not -0.42 -0.29
now says a -0.55 0.22 | now says any 0.43 -0.53 | now open -0.96 0.14 | further 0.05 -0.18 | further own 0.16 -0.75
further of before -0.12 -0.02 | further left 0.07 0.17 | further after it -0.05 -0.16 | now says you 0.06 0.47
now says don't 0.68 -0.44 | now says have -0.19 -0.11 | now says more 0.44 0.01 | before says to -0.03 0.15
other state -0.18 -0.34 | event 0.86 -0.38 | end soon after it 0.27 -0.41 | now named 0.31 -0.41
now says are 0.20 0.19 | now says divorced -0.24 0.37 | before says married 0.05 -0.15 | away link1 -0.13 -0.53
away soon after it -0.46 -0.01 | achieved named 0.37 -0.02 | achieved soon after it -0.01 -0.67
now says broke -0.13 -0.26 | now says up -0.20 0.39 | new person -1.75 -0.40 | now says had 0.73 -0.08
now says her 0.00 -0.62 | end denied -0.77 -0.12 | deny after it -0.14 0.45 | now says isn't 0.60 -0.37
one time -0.32 0.04 | fresh 0.32 -0.35 | fresh link1 -0.18 -0.36 | fresh own -0.02 -0.17 | fresh of before 0.15 -0.00
fresh left 0.32 -0.26 | fresh soon after it -0.19 -0.21 | now says turned 0.54 -0.45 | instead 0.12 -0.22
instead link2 0.11 -0.18 | instead own 0.40 -0.22 | instead of before 0.20 -0.11 | now says after 0.22 -0.36
now says stopped 0.34 -0.17 | end soon before it -0.49 0.13 | further soon before it 0.04 0.41
now says doesn't 0.26 -0.30 | now says runs -0.24 -0.14 | before says runs 0.43 -0.42 | now says changed -0.10 0.33
before says dr 0.23 -0.33 | now says dr 0.36 -0.34 | change soon after it -0.19 -0.06 | now says been 0.73 -0.25
now says moved -0.04 -0.15 | other number link2 0.20 -0.16 | away own 0.13 -0.29 | achieved before it -0.16 0.37
now says was -0.49 0.18 | now says back -0.27 -0.01 | now brief 0.37 -0.73 | now says got -0.05 0.55
now says until 0.73 -0.06 | same number -0.31 0.73 | instead left 0.13 0.03 | instead before it 0.22 -0.50
instead soon after it -0.06 -0.24 | now says at -0.19 0.03 | now says instead 1.16 -0.93 | now says of -0.05 0.27
now says cancelled -0.25 -0.50 | now says replaced 0.82 -0.56 | now says with 0.14 -0.10 | before says owns -0.36 -0.12
now after it 0.31 -0.27 | fresh before it -0.13 0.03 | now says just -0.35 0.43 | now link2 0.47 -0.16
now says called -0.88 0.18 | before says uses -0.46 0.25 | now says switched 0.88 -0.48 | now says go 0.41 0.28
further named -0.18 -0.24 | now says upgraded 0.50 -0.03 | away after it 0.64 -0.29 | now says rent 0.40 -0.06
before says pays -0.41 -0.18 | now says order -0.23 -0.32 | before says order -0.23 -0.32 | now says call 0.09 -0.11
before says call 0.41 -0.53 | before past -0.16 0.06 | past after past -0.05 0.38 | achieved past -0.49 0.35
now says born 0.56 0.10 | before says was -0.80 0.48 | now says name 0.19 0.10 | before says name -0.42 0.59
before says plays -0.08 -0.33 | now says dropped 0.08 -0.50 | now says out 0.80 -0.51 | before end -0.36 0.43
now says these 0.99 -0.35 | before denied -0.27 0.36 | before deny -0.15 0.35 | now says started -0.20 -0.48
now says passed -0.41 -0.44 | rule same -1.35 1.11 | now says lives 0.17 0.22 | before change -0.64 0.29
before says loves -0.40 -0.21 | before says doesn't -0.43 0.09 | before away 0.02 0.93 | now says likes -0.69 0.77
about named 0.02 0.49 | before says got 0.31 -0.43 | alike 0.14 -0.07 | alike all -0.48 0.40 | now says there -0.71 0.30
all numbers -1.07 1.21 | now says may -0.56 0.06 | before says of -0.19 0.27 | before says may -0.39 -0.24
before says as 0.66 -0.39 | now says best -0.29 0.27 | now says old 0.03 0.19 | now says calls 0.42 -0.01
before says speaks -0.71 -0.07 | now says night -0.21 0.21 | before says night 0.45 0.06 | before says can't -0.83 0.90
now further -0.26 -0.51 | further link1 0.02 -0.65 | now says plays -0.86 -0.58 | now says too -0.01 -0.53
other side -0.48 -0.62 | told apart -0.76 -0.55 | further before it 0.05 -0.32 | now says for -0.15 0.14
now says next -0.27 -0.72 | now says year -0.39 0.31 | fresh after it 0.47 -1.10 | before fresh 0.10 0.07
now says week 0.33 -0.16 | before says week 0.32 0.26 | now says wakes -0.64 -0.08 | before says wakes -0.73 -0.10
now says eat -0.25 -0.53 | before says eat -0.90 0.04 | before says no 0.11 0.27 | other id -1.79 -0.96
now before it -0.66 0.29 | now says sold -0.03 -0.14 | before says drives -0.67 0.17 | now says drives -0.42 0.43
before says goes -0.10 0.24 | now says retired -0.01 0.39 | now says mr -0.15 -0.34 | before says best -0.59 0.21
now says that 0.04 0.44 | before says mr 0.01 -0.27 | instead named 0.10 -0.27 | instead denied -0.57 0.46
further soon after it -0.06 -0.82 | before instead 0.07 1.03 | now says so 0.58 -0.06 | now says gave 1.20 -0.81
achieved soon before it -0.05 -0.34 | now says off 0.17 -0.03 | now says down -0.29 -0.09
away soon before it -0.02 -0.59 | now says goes -0.09 0.50 | now says pays 0.30 -0.24 | before says by -0.30 0.17
before open 0.47 0.02 | end open 0.96 -0.76 | deny open 0.15 -0.06 | further open 0.74 -0.44 | before brief 0.35 0.05
before says planned -0.37 -0.11 | settled 0.75 -0.47 | fresh link2 0.55 -0.11 | fresh named 0.37 0.00
now says last 0.07 0.17 | before says wants -0.00 -0.24 | before says run 0.72 -0.92 | now says finished 0.79 -0.80
achieved open -0.15 0.09 | settles open -0.15 0.09 | now says takes 0.27 0.10 | now says train -0.17 -0.15
before says commutes 0.48 -0.26 | before says drinks -0.16 -0.54 | instead soon before it 0.29 0.04
now soon before it 0.58 0.22 | now says bike 0.11 0.22 | now says work 0.22 0.24 | fresh soon before it 1.44 -0.67
before says with -0.22 -0.18 | now says closed 0.17 -0.33 | further denied 0.32 -0.25 | now says own 0.83 -0.84
before says open -0.31 -0.48 | before says plan 0.46 -0.36 | now says be -0.52 0.82 | before says are -0.04 0.30
now says live -0.18 0.24 | now says spring -0.14 -0.09 | instead link1 -0.24 -0.04 | now says put 1.08 -0.07
now says plan -0.43 0.18 | now says it 0.13 0.57 | now says get 0.41 -1.29 | now says than -0.46 0.84
before says calls -0.19 -0.23 | now says gone 0.74 -0.45 | now says can't -0.52 0.79 | before says takes -0.19 -0.22
now says came 0.38 -0.37 | now says uses -0.62 0.71 | before says up -0.21 0.41 | habit -0.13 0.18
habit link1 0.53 -0.58 | habit own -0.45 0.56 | habit of before -0.01 0.21 | habit left -0.79 0.54
habit after it -0.08 -0.04 | now says raised 0.83 -0.03 | now says month 0.19 0.02 | before says month 0.11 -0.10
before says year 0.01 -0.37 | now says new 0.17 -0.15 | now says cut 0.04 -0.20 | instead open 0.08 0.44
before says get 0.62 -0.65 | before says her -0.57 -0.10 | before moved -0.99 0.56 | now says run -0.45 -0.03
now says does -0.49 0.14 | before says have -0.88 0.87 | now says me -0.83 0.66 | alike only -0.50 -0.70
before says wears -0.16 -0.36 | habit link2 -0.27 0.40 | habit named -0.89 0.24 | now says can 0.33 -0.17
now earlier -1.43 0.86 | away denied -1.17 0.19 | now says hasn't -0.51 0.59 | change denied -0.56 0.38
now says bought -0.29 -0.59 | now says ms -0.26 0.59 | before says old 0.35 -0.04 | now says died 0.10 -0.64
deny past 0.31 0.07 | now says took -0.35 0.35 | now says again 0.86 -0.82 | now says through -0.10 0.31
before says comes -0.22 0.30 | before says from -0.53 0.71 | achieved denied -0.68 -0.03 | now says like -0.30 -0.10
now says never -0.48 0.50 | now says about -0.57 -0.32 | now says use 0.37 -0.72 | now stays -0.66 0.63
before says go 0.37 -0.25 | before says ends -0.22 0.66 | one time denied -0.64 -0.09 | now says still -0.17 0.46
before says can -1.17 0.06 | now says hour -0.00 -0.16 | before further 0.85 0.32 | before says and -0.55 0.91
before says until 0.55 -0.52 | before says off 0.45 -0.55 | before stays 0.63 -0.86 | before says still 0.50 -0.54
now says time 0.56 0.31 | now says also -1.17 -0.77 | now says signed -0.24 -0.62 | before says been -0.74 0.77
now says good 0.83 -0.70 | now says first 0.47 0.55 | before says about 0.09 0.07 | before says after -1.00 0.64
before says out 0.45 -0.24 | change open 0.48 -0.57 | fresh open -0.01 -0.38 | now says done -0.37 -0.66
end past -0.76 1.11 | habit soon before it -0.51 0.88 | before earlier -0.47 0.72 | further past 0.51 -0.68
before says be 0.79 -0.11 | change past -0.94 0.82 | before says new -0.18 0.15 | away open 0.82 -0.48
before now -0.29 0.22 | habit soon after it -0.73 0.60 | now says gets -0.41 0.68 | fresh past 0.09 -0.62
away past -1.26 0.59 | habit past -0.49 0.47 | before says it 0.50 0.15 | now says them -0.86 0.64
before says first 0.05 0.60
`;
