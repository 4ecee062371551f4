"""English words that may begin with a capital (at the start of a sentence, in a heading) without being a name."""

from __future__ import annotations

from functools import cache


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SMALL = _listed("""
a about above according across actually additionally admittedly after afterwards again against ago all almost along
already also although altogether always among amid an and another any anybody anyone anything anyway apart apparently
are around as aside at away back be because been before behind being below beneath beside besides best better between
beyond both briefly but by can cannot clearly consequently could currently despite did do does doing done down due
during each earlier early either else elsewhere enough especially essentially even eventually ever every everybody
everyone everything everywhere except exactly far few fewer finally first firstly following for formerly fortunately
forward from further furthermore generally given greater half hardly has have having he hello hence her here hers hey hi
him his hopefully how however i if importantly in including incidentally indeed initially inside instead into is it its
itself just last lastly late lately later least less let like likewise little long looking many may maybe me meanwhile
might mine more moreover most mostly much must my namely naturally near nearly neither never nevertheless next no nobody
none nonetheless nor not nothing notably now nowhere obviously of off often ok okay on once one only onto or other
others
otherwise our ours out outside over overall own particularly per perhaps plus possibly previously probably quite rather
really recently regarding regardless respectively same second secondly see several shall she should similarly simply
since so some somebody someone something sometimes somewhere soon specifically still subsequently such sure than thanks
that the their theirs them then there thereafter thereby therefore these they third this those though through throughout
thus till to today together tomorrow tonight too toward towards under underneath unfortunately unless unlike until up
upon us usually various very via was we well were what whatever when whenever where whereas wherever whether which while
who whoever whom whose why will with within without would yes yesterday yet you your yours zero two three four five six
seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million
billion
""")
_STEMS = _listed("""
able absence accept access account achieve achievement acquire act action active activity actual add addition address
adjust admin adopt adoption advance advice advise advisor afternoon agenda agree agreement aim alert allow amount
analysis annual answer apologies apology app application apply appreciate approach approve approval area arrange ask
assess asset assist assume attach attachment attend attention attract audience audit automate automation available
average avoid aware balance base basis become begin behalf benefit bill board body bonus book borrow bottom branch brand
break brief bring budget bug build burn business buy calculate calendar call campaign candidate capacity capital care
career case cash catch category cause celebrate challenge chance change channel charge chart chat cheap cheer check
choice choose churn claim clean clear click client close cloud code collaborate collaboration colleague collect
collection come comment commercial commit commitment common communicate communication community company compare
comparison compete competition competitor complete compliance compliment concern conclude conclusion condition
conference confidential confidence confirm congratulation connect consider consolidate contact content context continue
contract contribute contribution control conversation conversion convert cooperation copy core corporate correct cost
count country course cover create creation credit critical current custom customer cut cycle daily dashboard data date
day deal dear debt decide decision decline decrease deep default define delay deliver delivery demand demo department
deploy deployment describe design desk detail develop developer development difference different difficult digital
direct direction director discount discuss discussion distribute division document domain double download draft drive
drop ear earn earning ease easy economic edition education effect effective efficiency efficient effort email emphasis
employ employee employment enable encourage end energy engage engagement engineer engineering enjoy enterprise entry
environment equity error estimate evaluate evening event evidence example excellent exchange excite exclude execute
exist exit expand expansion expect expense experience expert explain explore export extend external extra face facility
fact factor fail failure fair fall fast feature fee feedback feel field figure file fill final finance financial find
fine finish fix flow focus folk follow food force forecast form format forward found foundation founder free fresh
friend full fund fundraise fundraising future gain gap gather general get give glad glance global go goal good govern
great greet greeting gross group grow growth guess guest guide happen happy hard head health hear heart help high
highlight hire history hold holiday home honest hope hour huge human idea identify impact implement important improve
improvement incident income increase indicate individual industry inform information infrastructure initial initiative
innovation input insight install integrate integration interest internal international interview introduce introduction
inventory invest investigate investment investor invitation invite invoice involve issue item job join journey keep key
kick kind know knowledge label labour lack large launch law lead leader leadership leadgen learn leave legal lesson
level leverage liability licence license limit line link liquidity list listen live load loan local locate logistic look
lose loss lot love low loyal lunch machine main maintain maintenance major make manage management manager margin mark
market marketing master match material matter maximum mean measure measurement media medical meet member memo mention
merge message method metric mid mile milestone mind minimum minor minute miss mission mistake mix mobile model moment
momentum money monitor month monthly morale morning motion move name national nature need negotiate negotiation net
network new news newsletter nice night note notice notify number objective observe obtain occur offer office officer
onboard onboarding ongoing online open operate operation operational opinion opportunity option order ordinary organic
organisation organise organization organize original outcome outlook output outstanding overhead overview owe owner pace
pack package page paper parent part participate partner partnership party pass past path patience pay payment payroll
peer pending people percent percentage perform performance period permission person personal personnel phase phone pick
picture piece pilot pipeline place plan plane platform play please pleasure point policy pool popular portfolio position
positive possible post potential practice prefer preliminary prepare present presentation press price pricing primary
principal prior priority private problem procedure proceed process procurement produce product production profession
professional profit profitability profitable program programme progress project promise promote promotion property
proposal propose prospect protect proud prove provide public publish pull purchase purpose push put quality quarter
quarterly question quick quiet quote raise range rank rate ratio reach reaction read ready real reason receive recent
recipient recommend recommendation record recover recovery recruit recruiting recruitment reduce reduction refer
reference referral refine reflect regard region register regular regulate regulation reject relate relation relationship
release relevant reliability reliable remain remark remember remind reminder remote remove renew renewal rent replace
reply report represent reputation request require requirement research reserve reset resolve resource respond response
responsibility responsible rest result retain retention return revenue reverse review reward right rise risk road
roadmap role room round route rule run runway safe salary sale satisfaction satisfy save scale schedule scope score
season seat section sector secure security seed seek select sell send senior sentence separate series serious serve
service session set settle setup shape share shareholder shift ship short show sick side sign signature significant
similar simple sincere sincerely single site situation size skill slide slow small smooth social software solid solution
solve sound source space speak special spend spending spirit split spot staff stage stakeholder stand standard start
state statement station status stay steady step stock stop store story strategic strategy stream strength strengthen
stress strong structure study style subject submit subscriber subscription success successful suggest suggestion suit
summarise summarize summary supplier supply support surprise survey sustain switch system table take talent talk target
task tax team tech technical technology tell tension term test thank theme thing think thought throughput ticket time
timeline tip title tool top topic total touch track traction trade traffic train training transaction transfer
transform transition transparent travel treasury trend trial trip true trust try turn turnover type understand unit
unique update upgrade upside use useful user utilisation utilization valuable value vendor venture version vice video
view vision visit volume vote wait want warehouse warm warn warning watch way website week weekly weekend weight welcome
wide win wish woman wonder word work worker workforce workshop world worry worth write wrong year yearly yield young
""")
_SHORT_FORMS = _listed(
    "ceo cfo cto coo cmo cpo vp svp evp md arr mrr nrr grr ebit ebitda roi kpi kpis okr okrs crm erp hr pr api apis faq"
    " pdf csv id url saas b2b b2c d2c p2p tbd tba eta fyi asap cc re fw fwd ps rsvp q&a am pm utc gmt cet est pst"
)
_HONORIFICS = _listed("mr mrs ms miss mx dr prof professor sir madam sirs ladies gentlemen")
_CALENDAR = _listed(
    "january february march april june july august september october november december jan feb mar apr jun jul aug sep"
    " sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat"
    " sun mondays tuesdays wednesdays thursdays fridays saturdays sundays"
)
_ENDINGS = (
    ("ies", "y"), ("ied", "y"), ("es", ""), ("s", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"),
    ("ly", ""), ("ally", ""), ("ily", "y"), ("er", ""), ("est", ""), ("ness", ""), ("ment", ""), ("d", ""),
)  # fmt: skip
NEVER_NAMES = _SHORT_FORMS | _HONORIFICS | _CALENDAR | {"i", "ok"}
"""Words that are no names wherever they stand. Lower case."""
HONORIFICS = _HONORIFICS


@cache
def is_ordinary(word: str) -> bool:
    """Whether a word with a capital may be there only because it begins something. Any case."""
    word = word.casefold()
    if word in _SMALL or word in _STEMS or word in NEVER_NAMES:
        return True
    for ending, instead in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2:
            continue
        doubled = stem[-1] == stem[-2] and stem[:-1] in _STEMS
        if stem + instead in _STEMS or doubled:
            return True
    return False
