/*
 * The cycle of a singleton job. Each inline below that bears the name of a Lua file of singleton/ is that script: one atomic step on
 * what Redis holds. Around them: two pods that call as the sidecar does, two watchdogs, the operator, a network and a clock.
 *
 * Time is not counted. What passes it is an event that may happen at any moment, with two rules, both kept by SingletonLease:
 *   - a holder's own deadline comes before the end that the server has set by the call whose answer the holder counts from;
 *   - an answer that comes after that end is worth nothing (`stale`).
 *
 * Not modelled: snapshot (reads only), trigger_now (moves a slot that nobody holds, or leaves a note for the end of the run),
 * update_spec (as trigger_now), unlock (removes what no run holds, at a person's wish), move_away (as delete, for a job that
 * goes on in another place under a higher term), begin_log (removes the log of
 * a namesake that is gone), forget (removes what move_away has handed over).
 *
 * Nor are holds, retries and misses, which only choose the next due moment, and the history.
 *
 * The sizes are set by .make/model. BROKEN_x breaks one rule, so that it can be seen that its property fails.
 */
#ifndef MAXGEN
#define MAXGEN 2    /* generations that are run */
#endif
#ifndef FAULTS
#define FAULTS 2    /* calls that are lost, late or doubled */
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#ifndef INTERRUPTS
#define INTERRUPTS 0 /* runs that are given back */
#endif
#ifndef EVICTIONS
#define EVICTIONS 0 /* locks, or tokens, that vanish by another hand */
#endif
#ifndef WISHES
#define WISHES 0    /* suspend, and resume */
#endif
#ifndef DELETES
#define DELETES 0   /* the job is deleted and made again */
#endif
#ifndef LOSSES
#define LOSSES 0    /* Redis goes back to an older state */
#endif
#ifndef PROPERTY
#define PROPERTY 0  /* all that can be asserted */
#endif
#define ONE   1
#define FENCE 2
#define AGREE 3
#define SPENT 4
#define OFF(name) (PROPERTY != 0 && PROPERTY != name)

#define ABSENT  0
#define DELAYED 1
#define READY   2
#define RUNNING 3
#define PAUSED  4
#define DELETED 5

#define NONE        0   /* no answer came */
#define OK          1
#define EMPTY       2   /* also BUSY */
#define STALE_TERM  3
#define TERM_BEHIND 4
#define REFUSED     5   /* TOO_LATE, SPENT */
#define LOST        6
#define ENDED       7   /* REPEATED, LATE */
#define DATA_LOSS   8
#define GONE        9
#define PRESENT     10
#define OTHER       11

#define LIVE  1   /* the lease, as the field lu and the clock of Redis say */
#define OVER  2
#define PASSED 3  /* over, and the grace too */

#define CLAIM   1
#define RENEW   2
#define FINISH  3
#define RELEASE 4

/* What Redis holds: all of it goes back in a loss. */
typedef Redis {
  byte st; byte gen; byte trm; byte uid; byte own; byte nnc; byte fen; byte rtm; byte lease; bit due; byte spent;
  bit paused; bit del; byte rdy; byte dly; byte lock
}
Redis db, old;

/* The pods (1, 2): a restart makes a new instance. */
byte inst[3], nonce[3], fence[3], kt[3], ans[3], val[3], renews[3];
bit crashed[3];
bit valid[3];    /* believes, within its own deadline, that it holds the lease */
bit exempt[3];   /* what it believes rests on a call from before a loss */
bit covered[3];  /* what it believes rests on a call that has set the server's lease */
bit stale[3], before[3], sets[3]; /* of an answer on its way: the lease is over; from before a loss; the call has set the lease */
byte doomed;     /* instances that are dead, bit by bit */

/* One call that sits in a socket's buffer and may be executed much later. */
byte skind, sinst, snonce, sterm, sfence; bit slate;

/* What the cluster keeps. */
byte cterm = 1, cuid = 1; bit cseeded, cpaused, cdeleted;
bit moved;       /* the server's identity is another than the one that the cluster knows */
bit cbehind;     /* the term was not raised since the last loss */

byte faults = FAULTS, crashes = CRASHES, interrupts = INTERRUPTS, evictions = EVICTIONS, wishes = WISHES, deletes = DELETES,
  losses = LOSSES;
bit saved;
bit tampered;    /* a token was taken by another hand and not put back yet */
byte next = 3;   /* the next instance */

/* For the properties only: the highest fence ever given, whether a loss is not yet answered by a raised term, the clock fell back. */
byte topt, tops; bit unnoticed, clockback; byte ended; byte seqs;

#define BIT(n) (1 << (n))


/* Property: token, lock and record agree after every step. */
inline check() {
  assert(OFF(AGREE) || tampered || db.rdy == (db.st == READY -> db.gen : 0));
  assert(OFF(AGREE) || tampered || db.dly == (db.st == DELAYED -> db.gen : 0));
  assert(OFF(AGREE) || !db.lock || (db.st == RUNNING && db.lock == db.nnc));
}

/* Property: at most one valid holder while the data is kept. */
inline holders() {
  assert(OFF(ONE) || !(valid[1] && valid[2] && !exempt[1] && !exempt[2]));
}

/* ---- the scripts ---- */

inline tokens() { db.rdy = (db.st == READY -> db.gen : 0); db.dly = (db.st == DELAYED -> db.gen : 0); tampered = 0; }

inline settled(state) {  /* what finish, watch and reclaim do with a run that is over */
  db.lock = 0; db.lease = 0;
  if
  :: db.del -> db.st = DELETED; db.del = 0;
  :: else -> db.st = (db.paused -> PAUSED : state);
  fi;
  db.gen = db.gen + 1; db.spent = db.spent | BIT(db.nnc); ended = ended | BIT(db.nnc);
#ifdef BROKEN_TOMBSTONE_FORGETS      /* what was spent goes with the deleted record */
  if :: db.st == DELETED -> db.spent = 0; :: else fi;
#endif
  db.own = 0; db.nnc = 0; db.rtm = 0; db.paused = 0; db.due = 0;
  tokens();
}

inline setLease(p) { db.lease = LIVE; sets[p] = 1; stale[p] = 0; before[p] = 0; }

inline seed(u, t, known, answer) {
  if
  :: db.st == RUNNING && db.del -> answer = EMPTY;
  :: db.st != ABSENT && db.st != DELETED && !(db.st == RUNNING && db.del) ->
     answer = (db.uid == u -> PRESENT : OTHER);
  :: db.st == DELETED && db.uid == u -> answer = GONE;
  :: db.st == ABSENT && known -> answer = DATA_LOSS;
  :: else ->
     db.gen = db.gen + 1; db.st = DELAYED; db.due = 0; db.uid = u; db.trm = (t > db.trm -> t : db.trm);
     if :: db.trm == cterm && !cbehind -> unnoticed = 0; :: else fi;
     tokens(); answer = OK;
  fi;
  check();
}

inline term(t) {
  if
  :: db.st != ABSENT ->
     db.trm = (t > db.trm -> t : db.trm);
     if :: !cbehind -> unnoticed = 0; :: else fi;
  :: else
  fi;
  check();
}

inline promote() {
  if
  :: db.st == DELAYED && db.due -> db.st = READY; tokens();
  :: else
  fi;
  check();
}

inline granted(p, i, n) {
  db.rdy = 0; db.dly = 0; tampered = 0;
  /* The clock of Redis is ahead of every sequence it gave, unless it fell back: then only the counter in the record rises. */
  db.fen = (clockback || seqs <= db.fen -> db.fen + 1 : seqs + 1);
  if :: db.fen > seqs -> seqs = db.fen; :: else fi;
  db.st = RUNNING; db.own = i; db.nnc = n; db.lock = n; db.rtm = db.trm;
  /* Property: fences rise; not promised from a loss on until the operator has raised the term, if clock or term fell back. */
  assert(OFF(FENCE) || db.rtm > topt || (db.rtm == topt && db.fen > tops)
    || (unnoticed && (clockback || db.rtm < topt)));
  if
  :: db.rtm > topt || (db.rtm == topt && db.fen > tops) -> topt = db.rtm; tops = db.fen;
  :: else
  fi;
  /* Property: what was ended or given up is never granted again. */
  assert(OFF(SPENT) || !(ended & BIT(n)));
}

inline claim(p, i, n, t, tooLate, answer, value) {
  if
  :: db.st == ABSENT -> answer = EMPTY;
  :: db.st != ABSENT && t < db.trm -> answer = STALE_TERM; value = db.trm;
  :: db.st != ABSENT && t > db.trm -> answer = TERM_BEHIND;
  :: db.st != ABSENT && t == db.trm ->
     if
     :: db.st == RUNNING && db.own == i && db.nnc == n ->
        if
        :: db.lock == n && db.lease == LIVE ->
#ifdef BROKEN_CLAIM_COUNTS_ANEW   /* the answer names a whole ttl, and the lease of before goes on */
           sets[p] = 0; stale[p] = 0; before[p] = 0;
#else
           setLease(p);
#endif
           answer = OK; value = db.fen;
        :: else -> answer = LOST;
        fi
     :: else ->
        if
#ifndef BROKEN_CLAIM_LATE
        :: tooLate || (db.spent & BIT(n)) -> answer = REFUSED;
#endif
        :: else ->
           if
           :: (db.st == READY || (db.st == DELAYED && db.due)) && !db.lock ->
              granted(p, i, n); setLease(p); answer = OK; value = db.fen;
           :: else -> answer = EMPTY;
           fi
        fi
     fi
  fi;
  check();
}

inline renew(p, i, n, answer) {
  if
#ifndef BROKEN_RENEW_ANY
  :: !(db.st == RUNNING && db.own == i && db.nnc == n) -> answer = LOST;
#else
  :: db.st != RUNNING -> answer = LOST;
#endif
  :: else ->
     if
#ifndef BROKEN_RENEW_ANY
     :: db.lock != n || db.lease != LIVE -> answer = LOST;
#endif
     :: else -> setLease(p); answer = OK;
     fi
  fi;
  check();
}

inline finish(i, n, f, answer) {
  if
  :: db.st == RUNNING && db.own == i && db.nnc == n && db.fen == f ->
     settled(DELAYED);
#ifdef BROKEN_FINISH_WITHOUT_TOKEN
     db.dly = 0;
#endif
     answer = OK;
  :: else -> answer = ENDED;
  fi;
  check();
}

inline release(i, n, answer) {
  if
  :: db.st == RUNNING && db.own == i && db.nnc == n ->
     settled(READY);
     if :: db.st != DELETED -> db.gen = db.gen - 1; tokens(); :: else fi;  /* the same slot again */
     answer = OK;
  :: else -> db.spent = db.spent | BIT(n); ended = ended | BIT(n); answer = ENDED;
  fi;
  check();
}

inline watch() {
  if
  :: db.st == READY && db.rdy != db.gen -> tokens();
  :: db.st == DELAYED && db.due -> db.st = READY; tokens();
  :: db.st == DELAYED && !db.due && db.dly != db.gen -> tokens();
#ifdef BROKEN_WATCH_BY_LOCK          /* no lock, so the run is over */
  :: db.st == RUNNING && !db.lock -> settled(DELAYED);
#endif
#ifndef BROKEN_WATCH_WAITS           /* never calls a run abandoned */
  :: db.st == RUNNING && !db.lock && db.lease == PASSED -> settled(DELAYED);
#endif
  :: else
  fi;
  check();
}

inline reclaim(i, f) {
  if
#ifdef BROKEN_RECLAIM_ANY
  :: db.st == RUNNING -> settled(READY);
#else
  :: db.st == RUNNING && db.own == i && db.fen == f -> settled(READY);
#endif
  :: else
  fi;
  check();
}

inline suspend() {
  if
  :: db.st == RUNNING -> db.paused = 1;
  :: db.st == DELAYED || db.st == READY -> db.st = PAUSED; db.due = 0; tokens();
  :: else
  fi;
  check();
}

inline resume() {
  if
  :: db.st == RUNNING -> db.paused = 0;
  :: db.st == PAUSED -> db.st = DELAYED; db.gen = db.gen + 1; db.due = 0; tokens();
  :: else
  fi;
  check();
}

inline delete(u) {
  if
  :: db.uid == u && db.st == RUNNING ->
#ifdef BROKEN_DELETE_AT_ONCE
     settled(DELAYED); db.st = DELETED; tokens();
#else
     db.del = 1;
#endif
  :: db.uid == u && db.st != RUNNING && db.st != ABSENT && db.st != DELETED ->
     db.st = DELETED; db.due = 0; tokens();
  :: else
  fi;
  check();
}

/* ---- the network: a call is done and answered, or one of these ---- */

/* `before` comes before the call and `after` with its answer, where no other step between can make a difference. */
#define CALL(kind, p, first, action, after) \
  :: d_step { first action after } \
  :: d_step { faults > 0 -> faults--; first ans[p] = NONE; val[p] = 0 }           /* it never arrived */ \
  :: d_step { faults > 0 -> faults--; first action ans[p] = NONE; val[p] = 0 }    /* its answer is lost */ \
  :: d_step { faults > 0 -> faults--; first action action after }                 /* executed twice */ \
  :: d_step { faults > 0 && !skind -> faults--; first ans[p] = NONE; val[p] = 0;  /* it is stuck on its way */ \
       skind = kind; sinst = inst[p]; snonce = nonce[p]; sterm = kt[p]; sfence = fence[p]; slate = 0 }

#define FREE(n) (nonce[1] != n && nonce[2] != n && (skind == 0 || snonce != n) && db.nnc != n && old.nnc != n)

inline nameless(n) {  /* nobody can name it any more */
  if
  :: FREE(n) -> db.spent = db.spent & ~BIT(n); old.spent = old.spent & ~BIT(n); ended = ended & ~BIT(n);
  :: else
  fi
}

inline tidy() { nameless(1); nameless(2); nameless(3); nameless(4); nameless(5); nameless(6) }

inline fresh(p) {
  nonce[p] = 0; fence[p] = 0; renews[p] = 0; tidy();
  if
  :: FREE(1) -> nonce[p] = 1;
  :: !FREE(1) && FREE(2) -> nonce[p] = 2;
  :: !FREE(1) && !FREE(2) && FREE(3) -> nonce[p] = 3;
  :: !FREE(1) && !FREE(2) && !FREE(3) && FREE(4) -> nonce[p] = 4;
  :: !FREE(1) && !FREE(2) && !FREE(3) && !FREE(4) && FREE(5) -> nonce[p] = 5;
  :: else -> assert(FREE(6)); nonce[p] = 6;
  fi
}

inline idle(p) { nonce[p] = 0; fence[p] = 0; renews[p] = 0; ans[p] = 0; val[p] = 0; stale[p] = 0; before[p] = 0; sets[p] = 0;
  exempt[p] = 0; covered[p] = 0; tidy() }

inline believe(p) {
  if
  :: !stale[p] -> valid[p] = 1; exempt[p] = before[p]; covered[p] = sets[p]; holders();
  :: else
  fi;
  ans[p] = 0
}

/* ---- the processes ---- */

#define MORE (db.gen <= MAXGEN)

inline asked(p) {
  if
  :: ans[p] == OK -> fence[p] = val[p]; val[p] = 0;
  :: ans[p] == STALE_TERM -> kt[p] = val[p]; val[p] = 0; ans[p] = NONE;  /* the same wish under the term it was told */
  :: else -> idle(p)
  fi
}

#define SENT(n)  (nonce[n] && !fence[n] && ans[n] == NONE)
#define CLAIMS   claim(p, inst[p], nonce[p], kt[p], 0, ans[p], val[p]);
#define RENEWS   renew(p, inst[p], nonce[p], ans[p]);
#define FINISHES finish(inst[p], nonce[p], fence[p], ans[p]);
#define RELEASES release(inst[p], nonce[p], ans[p]);
#ifdef PROGRESS                   /* every run ends: the time limit of a run sees to it */
#define RENEWALS 1
#define COUNT_RENEWAL(n) renews[n]++;
#else
#define RENEWALS 1
#define COUNT_RENEWAL(n)
#endif
#define STOPS    valid[p] = 0; exempt[p] = 0; covered[p] = 0;    /* the work ends before its end is told */

proctype Pod(byte p) {
start:
  {
    atomic {  /* a new wish, sent at once */
      if :: MORE :: else -> goto end fi;
      if
      CALL(CLAIM, p, fresh(p);, CLAIMS, asked(p);)
      fi;
      if :: !nonce[p] -> goto start :: else fi
    };
waits:
    if
    :: d_step { fence[p] -> believe(p) } -> goto holds
    :: atomic { SENT(p) ->      /* the same request until it is answered, or given up */
         if
         CALL(CLAIM, p, skip;, CLAIMS, asked(p);)
         :: goto gives
         fi;
         if :: !nonce[p] -> goto start :: else goto waits fi
       }
    fi;
gives:
    atomic {
      if
      CALL(RELEASE, p, STOPS, RELEASES, idle(p);)
      fi;
      if :: nonce[p] -> goto gives :: else -> goto start fi
    };
holds:
    if
    :: atomic { renews[p] < RENEWALS -> COUNT_RENEWAL(p)
         if
         CALL(RENEW, p, skip;, RENEWS, skip;)
         fi;
         if :: ans[p] == NONE -> goto holds :: ans[p] == LOST -> goto ends :: else fi
       };
       d_step { ans[p] == OK -> believe(p) };
       goto holds
    :: atomic { interrupts > 0 -> interrupts--; goto gives }
    :: goto ends
    fi;
ends:
    atomic {
      if
      CALL(FINISH, p, STOPS, FINISHES, idle(p);)
      fi;
      if :: nonce[p] -> goto ends :: else -> goto start fi
    }
  } unless {
    atomic { d_step { crashed[p] -> crashed[p] = 0; idle(p); inst[p] = next; next++; kt[p] = (LOSSES > 0 -> 0 : kt[p]) }; goto start }
  };
end: skip
}

inline gone() { skind = 0; sinst = 0; snonce = 0; sterm = 0; sfence = 0; slate = 0; ans[0] = 0; val[0] = 0; sets[0] = 0; tidy() }

inline harmed(p) { crashed[p] = 1; valid[p] = 0; exempt[p] = 0; covered[p] = 0; doomed = doomed | BIT(inst[p]) }

inline copy(to, from) {
  to.st = from.st; to.gen = from.gen; to.trm = from.trm; to.uid = from.uid; to.own = from.own; to.nnc = from.nnc;
  to.fen = from.fen; to.rtm = from.rtm; to.lease = from.lease; to.due = from.due; to.spent = from.spent;
  to.paused = from.paused; to.del = from.del; to.rdy = from.rdy; to.dly = from.dly; to.lock = from.lock
}

inline lost(p) { if :: valid[p] -> exempt[p] = 1 :: else fi; if :: ans[p] -> before[p] = 1 :: else fi }

inline lose() {
  losses--; copy(db, old); lost(1); lost(2); unnoticed = 1; cbehind = 1; ended = 0; saved = 0; tampered = 0;
  old.st = 0; old.gen = 0; old.trm = 0; old.uid = 0; old.own = 0; old.nnc = 0; old.fen = 0; old.rtm = 0; old.lease = 0; old.due = 0;
  old.spent = 0; old.paused = 0; old.del = 0; old.rdy = 0; old.dly = 0; old.lock = 0
}

proctype Watchdog() {
  do :: d_step { watch(); promote() } od
}

/* It keeps nothing between two steps but what the cluster keeps; where it does, it may die and forget. */
proctype Operator() {
  byte answer, i, f;
  do
#ifdef BROKEN_TERM_STAYS             /* a restart or promotion of Redis raises no term */
  :: d_step { moved && cseeded -> cbehind = 0; moved = 0; unnoticed = 0 }
#else
  :: d_step { moved && cseeded -> cterm++; cbehind = 0; moved = 0 }
#endif
  :: d_step { !cdeleted && !(moved && cseeded) && (db.st == ABSENT || db.st == DELETED) -> seed(cuid, cterm, cseeded, answer);
       if :: answer != DATA_LOSS -> answer = 0 :: else fi };
     if
     :: d_step { answer == DATA_LOSS -> cterm++; cbehind = 0; cseeded = 0; answer = 0 }
     :: answer = 0
     fi
  :: d_step { db.st != ABSENT && db.uid == cuid && !cseeded -> cseeded = 1; moved = 0 }
  :: d_step { db.st != ABSENT && db.trm < cterm -> term(cterm) }
  :: d_step { cpaused && !cdeleted -> suspend() }
  :: d_step { !cpaused && !cdeleted -> resume() }
  :: d_step { cdeleted -> delete(cuid) }
  :: d_step { cdeleted && (db.st == DELETED || db.st == ABSENT) -> cdeleted = 0; cuid++; cseeded = 0; cterm = 1 }
  :: d_step { db.st == RUNNING && (doomed & BIT(db.own)) -> i = db.own; f = db.fen };
     d_step { reclaim(i, f); i = 0; f = 0 }
  od
}

/* The wishes of people. */
proctype People() {
  do
  :: d_step { wishes > 0 -> wishes--; cpaused = !cpaused }
  :: d_step { deletes > 0 && !cdeleted && db.st != ABSENT -> deletes--; cdeleted = 1 }
  :: wishes == 0 && deletes == 0 -> break
  od
}

/* What time brings. Each moment is a process of its own, so that none is put off for ever. */
proctype Due() { do :: d_step { db.st == DELAYED && !db.due -> db.due = 1 } od }

#define COUNTS(p) (valid[p] && nonce[p] == db.nnc && covered[p] && !exempt[p])

inline hopeless(p) { if :: nonce[p] == db.nnc && ans[p] == OK && sets[p] -> stale[p] = 1 :: else fi }

proctype Lapse() {
  do
  :: d_step { db.lease == LIVE && !COUNTS(1) && !COUNTS(2) -> db.lease = OVER; hopeless(1); hopeless(2);
       if :: db.lock == db.nnc -> db.lock = 0 :: else fi }
  od
}

proctype Grace() { do :: d_step { db.lease == OVER -> db.lease = PASSED } od }

proctype Deadline(byte p) {
  do
  :: d_step { valid[p] -> valid[p] = 0; exempt[p] = 0; covered[p] = 0 }
  od
}

proctype Stray() {
  do
  :: d_step { skind == CLAIM && !slate -> slate = 1 }
  :: d_step { skind == CLAIM -> claim(0, sinst, snonce, sterm, slate, ans[0], val[0]); gone() }
  :: d_step { skind == RENEW -> renew(0, sinst, snonce, ans[0]); gone() }
  :: d_step { skind == FINISH -> finish(sinst, snonce, sfence, ans[0]); gone() }
  :: d_step { skind == RELEASE -> release(sinst, snonce, ans[0]); gone() }
  :: d_step { skind -> gone() }
  od
}

proctype Harm() {
  do
  :: d_step { crashes > 0 -> crashes--; harmed(1) }
  :: d_step { crashes > 0 -> crashes--; harmed(2) }
  :: d_step { evictions > 0 && db.lock -> evictions--; db.lock = 0 }
  :: d_step { evictions > 0 && (db.rdy || db.dly) -> evictions--; db.rdy = 0; db.dly = 0; tampered = 1 }
  :: d_step { losses > 0 && !saved -> saved = 1; copy(old, db) }
  :: d_step { losses > 0 -> lose(); moved = 1; clockback = 0 }
  :: d_step { losses > 0 -> lose(); moved = 1; clockback = 1 }
  :: d_step { losses > 0 && !saved -> lose(); clockback = 0 }    /* emptied, and the server is the same */
  :: crashes == 0 && evictions == 0 && losses == 0 -> break
  od
}

init {
  atomic {
    inst[1] = 1; inst[2] = 2; kt[1] = 1; kt[2] = 1;
    if :: LOSSES + DELETES == 0 -> d_step { seed(cuid, cterm, cseeded, ans[0]); ans[0] = 0; cseeded = 1 } :: else fi;
    run Pod(1); run Pod(2); run Operator(); run Watchdog(); run Watchdog();
    run Due(); run Lapse(); run Grace(); run Deadline(1); run Deadline(2);
    if :: FAULTS > 0 -> run Stray() :: else fi;
    if :: CRASHES + EVICTIONS + LOSSES > 0 -> run Harm() :: else fi;
    if :: WISHES + DELETES > 0 -> run People() :: else fi
  }
}

/* Property: when the faults have stopped, each slot is claimed and run again. */
#ifdef PROGRESS
ltl progress { <> (db.gen > MAXGEN) }
#endif
