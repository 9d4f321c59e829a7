package dev.soloist.coordination.delayed.cas;

import java.util.List;

/** The wire of a process that dies after so many commands: the next one is not sent, nor any other. For one thread. */
final class Breaking implements Wire {

    /** The end of the process. */
    static final class Died extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Died() {
            super("the process is dead", null, false, false);
        }
    }

    private final Wire wire;
    private final int most;
    private int sent;

    Breaking(Wire wire, int most) {
        this.wire = wire;
        this.most = most;
    }

    int sent() {
        return sent;
    }

    @Override
    public List<Object> call(String command, List<byte[]> arguments) {
        if (sent >= most) {
            throw new Died();
        }
        sent++;
        return wire.call(command, arguments);
    }
}
