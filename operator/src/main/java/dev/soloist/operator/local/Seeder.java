package dev.soloist.operator.local;

import dev.soloist.coordination.job.JobDefinition;
import dev.soloist.operator.core.JobSeeding;
import dev.soloist.operator.core.Memory;
import dev.soloist.operator.core.Seeded;
import dev.soloist.operator.core.Store;
import java.io.IOException;

/// Brings new jobs into force, as the operator's reconciler does, with a memory that lasts as long as the JVM.
final class Seeder {

    private static final int STEPS = 5;

    private final JobSeeding seeding;

    Seeder(Store store) {
        this.seeding = new JobSeeding(store);
    }

    /// @throws IOException if Redis holds something that a fresh start cannot meet
    void bringIntoForce(JobDefinition job) throws IOException {
        var memory = Memory.NONE;
        for (int step = 0; step < STEPS; step++) {
            var known = memory;
            switch (seeding.ensure(job, known, () -> known)) {
                case Seeded.InForce _ -> {
                    return;
                }
                case Seeded.RaiseTerm(var raised, var _) -> memory = raised;
                case Seeded other -> throw new IOException("job " + job.id() + " cannot be seeded: " + other);
            }
        }
        throw new IOException("job " + job.id() + " cannot be seeded: its term was raised again and again");
    }
}
