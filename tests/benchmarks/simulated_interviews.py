import argparse, asyncio, sys, tempfile, json
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parents[1]))
from support.personas import *
from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.rubric.library import load_library
async def main(folder, transcripts):
    library = {k: e.model for k, e in load_library(()).entries.items()}
    with tempfile.TemporaryDirectory() as tmp:
        store = Store(Path(tmp)/"a.db")
        out=[]; n=0
        for p in load_personas(Path(folder)):
            for s in p.interviews:
                n+=1
                r = await play(store, OfflineExaminer(), p, s, library, session=f"{n:010x}")
                Path(transcripts).mkdir(exist_ok=True)
                (Path(transcripts)/f"{p.persona}.txt").write_text(r.played.transcript())
                out.append(await scored(r))
    store.close()
    return out
scores = asyncio.run(main(sys.argv[1], sys.argv[2]))
Path(sys.argv[2],"scores.json").write_text(json.dumps([s.model_dump() for s in scores]))
tot={}
for s in scores:
    c={(m,r):s.count(must=m,result=r) for m in (True,False) for r in ("kept","broken","open","not_reached")}
    for k,v in c.items(): tot[k]=tot.get(k,0)+v
    print(f"{s.persona:20} must {c[True,'kept']}/{c[True,'kept']+c[True,'broken']}  must_not broken {c[False,'broken']}/{c[False,'kept']+c[False,'broken']} reached {sum(t.reached for t in s.turns)}/{len(s.turns)}")
k,b=tot[True,'kept'],tot[True,'broken']
print("musts", k, k+b, k/(k+b), "must_nots broken", tot[False,'broken'], tot[False,'broken']+tot[False,'kept'], tot)
