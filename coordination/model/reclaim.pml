/*
 * Tasks of a delayed job while instances come, fall silent and go. Each inline below that bears the name of a Lua file of delayed/ or
 * instance/ is that script: one atomic step on what Redis holds. Around them: two pods whose loops call as the sidecar's do, any
 * number of reclaimers, a network and a clock. Every duty is a process of its own and keeps nothing between two steps but what stands
 * below, so a process may die, and another come in between, at any point; so also between fence and adopt.
 *
 * Not modelled: cancel, reschedule (they change a due or end a task, judged by reserve as here), extend (moves a deadline),
 * requeue, purge, tidy, repair_held, repair_pending, repair_done, reindex (upkeep), inspect, counts, dead, list (read only).
 *
 * Nor are priorities, several tasks in one batch, attempts that run out, and the end of the retention of finished ids: a request
 * that is repeated later than that is a new one.
 *
 * The sizes are set by .make/model. BROKEN_x breaks one rule, so that it can be seen that its property fails.
 */
#define TASKS 2
#ifndef INSTANCES
#define INSTANCES 3 /* two, and one that comes after a fence or a crash */
#endif
#ifndef FAULTS
#define FAULTS 1    /* calls that are lost, late or doubled */
#endif
#ifndef CRASHES
#define CRASHES 0
#endif
#ifndef SILENCES
#define SILENCES 0  /* leases that run out while their pod lives */
#endif
#ifndef TIMEOUTS
#define TIMEOUTS 1  /* visibility deadlines that pass */
#endif
#ifndef NACKS
#define NACKS 0
#endif
#ifndef LEAVES
#define LEAVES 0
#endif
#ifndef PROPERTY
#define PROPERTY 0
#endif
#define LOST     1
#define RECEIPT  2
#define OVER     3
#define EARLY    4
#define OFF(name) (PROPERTY != 0 && PROPERTY != name)
#define RECEIPTS 6
#define BIT(n) (1 << (n))

#define NOBODY 0
#define ACTIVE 1
#define FENCED 2

/* What Redis holds. Segment 0 is the shared one; segment i is that of instance i. */
byte im[INSTANCES + 1], label[INSTANCES + 1]; bit over[INSTANCES + 1];
byte rn[INSTANCES + 1], rnt[INSTANCES + 1];  /* the last reservation: its nonce, and its task + 1 */
byte in[INSTANCES + 1];                      /* the tasks that lie in the segment, bit by bit */
bit task[TASKS], flight[TASKS], due[TASKS], done[TASKS];
byte receipt[TASKS], hints[TASKS];

/* The pods. */
byte inst[3], dead[3];          /* the instance, and the one before a crash */
byte asks[3];                   /* the nonce of a reservation without an answer */
byte held[3], holds[3];         /* the task + 1 that the app works on, and the receipt */
byte ans[3], got[3];
bit accepted[TASKS];            /* what the app knows */

byte skind, sinst, sreceipt, stask;

byte next = 3, faults = FAULTS, crashes = CRASHES, silences = SILENCES, timeouts = TIMEOUTS, nacks = NACKS, leaves = LEAVES;

/* For the properties: the receipt that the task was last handed out under. */
byte newest[TASKS];

#define OK        1
#define REFUSED   2   /* FENCED, STALE */
#define REPEATED  3
#define NOTHING   4

/* Property: what was taken in and is not done has its record, and lies where somebody looks. */
#define LOOKED(s, k) ((in[s] & BIT(k)) && label[s] && im[label[s]])
#if INSTANCES == 3
#define ANY(k) ((in[0] & BIT(k)) || LOOKED(1, k) || LOOKED(2, k) || LOOKED(3, k))
#else
#define ANY(k) ((in[0] & BIT(k)) || LOOKED(1, k) || LOOKED(2, k) || LOOKED(3, k) || LOOKED(4, k))
#endif
#define SAFE(k) (!accepted[k] || done[k] || (task[k] && (flight[k] || hints[k] || ANY(k))))
inline check() { assert(OFF(LOST) || (SAFE(0) && SAFE(1))) }

#define MINE(i) (im[i] == ACTIVE -> i : 0)   /* where a caller's entries go: its own segment, or the shared one */

/* ---- the scripts ---- */

inline register(p, i) {
  im[i] = ACTIVE; label[i] = i; over[i] = 0; inst[p] = i;
  check()
}

inline heartbeat(p, i) {
  if
  :: im[i] == ACTIVE -> over[i] = 0;
  :: else -> inst[p] = 0; asks[p] = 0;
  fi;
  check()
}

inline enqueue(i, k, answer) {
  if
#ifndef BROKEN_ENQUEUE_UNFENCED
  :: im[i] != ACTIVE -> answer = REFUSED;
#endif
  :: else ->
     if
#ifndef BROKEN_ENQUEUE_FORGETS    /* a finished id is not remembered */
     :: task[k] || done[k] -> answer = REPEATED;
#else
     :: task[k] -> answer = REPEATED;
#endif
     :: else -> assert(OFF(OVER) || !done[k]); task[k] = 1; flight[k] = 0; due[k] = 0; in[i] = in[i] | BIT(k); answer = OK;
     fi
  fi
}

inline move(s, k) {
  if
  :: (in[s] & BIT(k)) && due[k] ->
     in[s] = in[s] & ~BIT(k);
#ifndef BROKEN_MOVE_DROPS
     hints[k] = (hints[k] < 2 -> hints[k] + 1 : 2);
#endif
  :: else
  fi;
  check()
}

inline reserve(p, i, n, k, answer, value) {
  if
  :: im[i] != ACTIVE -> answer = REFUSED;
  :: im[i] == ACTIVE && rn[i] == n ->
     if
     :: rnt[i] && task[rnt[i] - 1] && flight[rnt[i] - 1] && receipt[rnt[i] - 1] == n -> answer = OK; value = rnt[i];
     :: else -> answer = NOTHING; value = 0;
     fi
  :: im[i] == ACTIVE && rn[i] != n ->
     if
     :: hints[k] == 0 -> answer = NOTHING; value = 0;
     :: else ->
        hints[k]--;
        if
        :: !task[k] || flight[k] -> answer = NOTHING; value = 0;
        :: task[k] && !flight[k] && !due[k] -> in[i] = in[i] | BIT(k); answer = NOTHING; value = 0;
        :: else ->
           /* Properties: none is handed out before its due, none after its end. */
           assert(OFF(EARLY) || due[k]);
           assert(OFF(OVER) || !done[k]);
           flight[k] = 1; receipt[k] = n; newest[k] = n; rn[i] = n; rnt[i] = k + 1; answer = OK; value = k + 1;
        fi
     fi
  fi;
  check()
}

inline ack(k, r, answer) {
  if
#ifdef BROKEN_ACK_ANY
  :: task[k] ->
#else
  :: task[k] && flight[k] && receipt[k] == r ->
#endif
     /* Property: only the receipt of the last hand-out ends a task. */
     assert(OFF(RECEIPT) || newest[k] == r);
     task[k] = 0; flight[k] = 0; receipt[k] = 0; done[k] = 1; answer = OK;
  :: else -> answer = REFUSED;
  fi;
  check()
}

inline nack(i, k, r, answer) {
  if
  :: task[k] && flight[k] && receipt[k] == r ->
     assert(OFF(RECEIPT) || newest[k] == r);
     flight[k] = 0; receipt[k] = 0; due[k] = 0;
#ifdef BROKEN_NACK_TO_OWN         /* also into a segment that was adopted and dropped */
     in[i] = in[i] | BIT(k);
#else
     in[MINE(i)] = in[MINE(i)] | BIT(k);
#endif
     answer = OK;
  :: else -> answer = REFUSED;
  fi;
  check()
}

inline sweep(i, k) {
  if
  :: task[k] && flight[k] ->
     due[k] = 0; in[MINE(i)] = in[MINE(i)] | BIT(k);
#ifdef BROKEN_SWEEP_KEEPS_RECEIPT /* the late holder may still end it, while another works on it */
     flight[k] = 0;
#else
     flight[k] = 0; receipt[k] = 0;
#endif
  :: else
  fi;
  check()
}

inline fence(i, terminated) {
  if
  :: im[i] == ACTIVE && (terminated || over[i]) -> im[i] = FENCED; over[i] = 1;
  :: else
  fi;
  check()
}

inline relabel(s, from, to) { if :: label[s] == from -> label[s] = to :: else fi }

inline adopt(i, living) {
  if
#ifdef BROKEN_ADOPT_UNFENCED      /* takes from one that goes on under its name */
  :: im[i] == ACTIVE && over[i] && im[living] == ACTIVE && i != living ->
     over[i] = 0;
#else
  :: im[i] == FENCED && im[living] == ACTIVE ->
     im[i] = NOBODY; over[i] = 0; rn[i] = 0; rnt[i] = 0;
#endif
#ifdef BROKEN_ADOPT_FORGETS       /* only the dead one's own segment, not those that it had adopted */
     label[i] = living;
#else
     relabel(1, i, living); relabel(2, i, living); relabel(3, i, living);
#if INSTANCES > 3
     relabel(4, i, living);
#endif
#endif
  :: else
  fi;
  check()
}

inline drop(i, s) {
  if
#ifdef BROKEN_DROP_FULL
  :: label[s] == i && s != i -> label[s] = 0;
#else
  :: label[s] == i && s != i && in[s] == 0 -> label[s] = 0;
#endif
  :: else
  fi;
  check()
}

inline leave(i) {
  if
  :: im[i] == ACTIVE -> im[i] = FENCED; over[i] = 1;
  :: else
  fi;
  check()
}

/* ---- the network: a call is done and answered, or one of these ---- */

#define CALL(kind, p, guard, first, action, after, t, r) \
  :: d_step { guard -> first action after ans[p] = 0; got[p] = 0 } \
  :: d_step { guard && faults > 0 -> faults--; first ans[p] = 0; got[p] = 0 } \
  :: d_step { guard && faults > 0 -> faults--; first action ans[p] = 0; got[p] = 0 } \
  :: d_step { guard && faults > 0 -> faults--; first action action after ans[p] = 0; got[p] = 0 } \
  :: d_step { guard && faults > 0 && !skind -> faults--; first skind = kind; sinst = inst[p]; stask = t; sreceipt = r; \
       ans[p] = 0; got[p] = 0 }

#define FREE(n) (asks[1] != n && asks[2] != n && holds[1] != n && holds[2] != n && sreceipt != n && receipt[0] != n && receipt[1] != n)

inline forget(i, n) { if :: rn[i] == n -> rn[i] = 0; rnt[i] = 0 :: else fi }

inline fresh(p) {
  if
  :: FREE(1) -> asks[p] = 1;
  :: !FREE(1) && FREE(2) -> asks[p] = 2;
  :: !FREE(1) && !FREE(2) && FREE(3) -> asks[p] = 3;
  :: !FREE(1) && !FREE(2) && !FREE(3) && FREE(4) -> asks[p] = 4;
  :: !FREE(1) && !FREE(2) && !FREE(3) && !FREE(4) && FREE(5) -> asks[p] = 5;
  :: else -> assert(FREE(6)); asks[p] = 6;
  fi;
  /* A nonce is new: what remembers an older use of its number forgets it. */
  forget(1, asks[p]); forget(2, asks[p]); forget(3, asks[p]);
#if INSTANCES > 3
  forget(4, asks[p]);
#endif
  if :: newest[0] == asks[p] -> newest[0] = 0 :: else fi;
  if :: newest[1] == asks[p] -> newest[1] = 0 :: else fi
}

/* ---- the processes ---- */

inline taken(p, k) {
  if
  :: ans[p] == OK || ans[p] == REPEATED -> accepted[k] = 1;
  :: ans[p] == REFUSED -> inst[p] = 0; asks[p] = 0;
  :: else
  fi;
  check()
}

#define ENQUEUES(p, k) CALL(1, p, inst[p] && !accepted[k], skip;, enqueue(inst[p], k, ans[p]);, taken(p, k);, k, 0)

proctype App(byte p) {
  do
  ENQUEUES(p, 0)
  ENQUEUES(p, 1)
  :: accepted[0] && accepted[1] -> break
  od
}

inline handed(p) {
  if
  :: ans[p] == OK -> held[p] = got[p]; holds[p] = asks[p]; asks[p] = 0;
  :: ans[p] == NOTHING -> asks[p] = 0;
  :: ans[p] == REFUSED -> inst[p] = 0; asks[p] = 0;
  :: else
  fi
}

inline ended(p) { if :: ans[p] -> held[p] = 0; holds[p] = 0 :: else fi }

#define RESERVES(p, k) \
  CALL(2, p, inst[p] && !held[p] && !asks[p] && hints[k], fresh(p);, reserve(p, inst[p], asks[p], k, ans[p], got[p]);, handed(p);, k, asks[p]) \
  CALL(2, p, inst[p] && !held[p] && asks[p], skip;, reserve(p, inst[p], asks[p], k, ans[p], got[p]);, handed(p);, k, asks[p])

proctype Consumer(byte p) {
  do
  RESERVES(p, 0)
  RESERVES(p, 1)
  CALL(3, p, held[p], skip;, ack(held[p] - 1, holds[p], ans[p]);, ended(p);, held[p] - 1, holds[p])
  CALL(4, p, held[p] && nacks > 0, nacks--;, nack(inst[p], held[p] - 1, holds[p], ans[p]);, ended(p);, held[p] - 1, holds[p])
  od
}

/* What a process may do is enabled only where it would change something, so that each duty is done in the end. */

#define MOVES(p, s, k) :: d_step { inst[p] && (s == 0 || label[s] == inst[p]) && (in[s] & BIT(k)) && due[k] -> move(s, k) }

proctype Mover(byte p) {
  do
  MOVES(p, 0, 0) MOVES(p, 0, 1) MOVES(p, 1, 0) MOVES(p, 1, 1) MOVES(p, 2, 0) MOVES(p, 2, 1) MOVES(p, 3, 0) MOVES(p, 3, 1)
#if INSTANCES > 3
  MOVES(p, 4, 0) MOVES(p, 4, 1)
#endif
  od
}

#define DROPS(p, s) :: d_step { inst[p] && label[s] == inst[p] && s != inst[p] -> drop(inst[p], s) }

proctype Member(byte p) {
  do
  :: d_step { !inst[p] && next <= INSTANCES -> register(p, next); next++ }
  :: d_step { inst[p] && (im[inst[p]] != ACTIVE || over[inst[p]]) -> heartbeat(p, inst[p]) }
  DROPS(p, 1) DROPS(p, 2) DROPS(p, 3)
#if INSTANCES > 3
  DROPS(p, 4)
#endif
  :: d_step { leaves > 0 && inst[p] -> leaves--; leave(inst[p]); inst[p] = 0; asks[p] = 0; held[p] = 0; holds[p] = 0 }
  od
}

#ifdef BROKEN_ADOPT_UNFENCED
#define ADOPTABLE(j) (im[j] && over[j])
#else
#define ADOPTABLE(j) (im[j] == FENCED)
#endif
#define RECLAIMS(p, j) \
  :: d_step { inst[p] && inst[p] != j && im[j] == ACTIVE && over[j] -> fence(j, 0) } \
  :: d_step { inst[p] && dead[p] == j && im[j] == ACTIVE -> fence(j, 1) } \
  :: d_step { inst[p] && inst[p] != j && ADOPTABLE(j) && im[inst[p]] == ACTIVE -> adopt(j, inst[p]) }

proctype Reclaimer(byte p) {
  do
  RECLAIMS(p, 1) RECLAIMS(p, 2) RECLAIMS(p, 3)
#if INSTANCES > 3
  RECLAIMS(p, 4)
#endif
  od
}

/* A visibility deadline passes; at any time for a task that nobody holds or will hear of. */
#define HEARD(k) (holds[1] == receipt[k] || holds[2] == receipt[k] || asks[1] == receipt[k] || asks[2] == receipt[k])
#define SWEEPS(p, k) \
  :: d_step { task[k] && flight[k] && !HEARD(k) -> sweep(inst[p], k) } \
  :: d_step { task[k] && flight[k] && HEARD(k) && timeouts > 0 -> timeouts--; sweep(inst[p], k) }

proctype Sweeper(byte p) {
  do
  SWEEPS(p, 0)
  SWEEPS(p, 1)
  od
}

proctype Due(byte k) { do :: d_step { task[k] && !flight[k] && !due[k] -> due[k] = 1 } od }

inline gone() { skind = 0; sinst = 0; stask = 0; sreceipt = 0; ans[0] = 0; got[0] = 0 }

proctype Stray() {
  do
  :: d_step { skind == 1 -> enqueue(sinst, stask, ans[0]); gone(); check() }
  :: d_step { skind == 2 -> reserve(0, sinst, sreceipt, stask, ans[0], got[0]); gone() }
  :: d_step { skind == 3 -> ack(stask, sreceipt, ans[0]); gone() }
  :: d_step { skind == 4 -> nack(sinst, stask, sreceipt, ans[0]); gone() }
  :: d_step { skind -> gone() }
  od
}

#define ALIVE(j) (inst[1] == j || inst[2] == j)
#define SILENT(j) \
  :: d_step { im[j] == ACTIVE && !over[j] && !ALIVE(j) -> over[j] = 1 } \
  :: d_step { im[j] == ACTIVE && !over[j] && ALIVE(j) && silences > 0 -> silences--; over[j] = 1 }

inline crash(p) { crashes--; dead[p] = inst[p]; inst[p] = 0; asks[p] = 0; held[p] = 0; holds[p] = 0 }

proctype Harm() {
  do
  SILENT(1) SILENT(2) SILENT(3)
#if INSTANCES > 3
  SILENT(4)
#endif
  :: d_step { crashes > 0 && inst[1] -> crash(1) }
  :: d_step { crashes > 0 && inst[2] -> crash(2) }
  od
}

init {
  atomic {
    d_step { register(1, 1); register(2, 2) };
    run App(1); run App(2); run Consumer(1); run Consumer(2); run Mover(1); run Mover(2); run Member(1); run Member(2);
    run Reclaimer(1); run Reclaimer(2); run Sweeper(1); run Sweeper(2); run Due(0); run Due(1); run Harm();
    if :: FAULTS > 0 -> run Stray() :: else fi
  }
}

/* Property: in the end every task is delivered and done, those of fenced instances too. */
#ifdef PROGRESS
ltl progress { <> (done[0] && done[1]) }
#endif
